import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'

/**
 * A tar archive of small files that all users may read and none may write, with the folders above them: the form in which
 * an engine copies files into a container.
 * @param files texts by their absolute path
 */
export async function packFiles(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = pack()
  const mtime = new Date(0)
  const folders = new Set<string>()
  for (const path of Object.keys(files)) {
    const names = path.split('/').filter((name) => name !== '')
    for (let depth = 1; depth < names.length; depth += 1) folders.add(names.slice(0, depth).join('/'))
  }
  for (const name of folders) archive.entry({ name, type: 'directory', mode: 0o755, mtime })
  for (const [path, text] of Object.entries(files))
    archive.entry({ name: path.replace(/^\/+/, ''), mode: 0o444, mtime }, text)
  archive.finalize()
  return await buffer(archive)
}
