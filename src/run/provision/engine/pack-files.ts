import { packTar } from 'modern-tar'

/**
 * A tar archive of small files that all users may read and none may write, with the folders above them: the form in which
 * an engine copies files into a container.
 * @param files texts by their absolute path
 */
export async function packFiles(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const mtime = new Date(0)
  const folders = new Set<string>()
  for (const path of Object.keys(files)) {
    const names = path.split('/').filter((name) => name !== '')
    for (let depth = 1; depth < names.length; depth += 1) folders.add(names.slice(0, depth).join('/'))
  }
  const contents = Object.entries(files).map(
    ([path, text]) => [path.replace(/^\/+/, ''), Buffer.from(text)] as const,
  )
  const archive = await packTar([
    ...[...folders].map((name) => ({
      header: { name, type: 'directory', size: 0, mode: 0o755, mtime } as const,
    })),
    ...contents.map(([name, body]) => ({ header: { name, size: body.length, mode: 0o444, mtime }, body })),
  ])
  return Buffer.from(archive)
}
