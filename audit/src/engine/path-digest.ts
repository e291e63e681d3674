import { createHash } from 'node:crypto'
import { createReadStream, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { unreadable, walkFiles } from './walk-files.ts'

/**
 * The digest of all that an audit reads at a path: contents and names, without the path itself, so that a copy elsewhere has
 * the same one. `null` where there is nothing at that path.
 */
export async function digestPath(path: string, directory: string): Promise<string | null> {
  const parts: string[] = []
  try {
    const walked = walkFiles(realpathSync(resolve(directory, path)), '.', {
      gap: (location, reason) => void parts.push(`gap ${String(location)} ${reason}`),
      name: (location) => void parts.push(`name ${String(location)}`),
    })
    for (const { path: file, location } of walked)
      parts.push(`file ${String(location)} ${await digestFile(file)}`)
  } catch {
    return null
  }
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}

async function digestFile(file: string | Buffer): Promise<string> {
  const hash = createHash('sha256')
  return await pipeline(createReadStream(file), hash).then(() => hash.digest('hex'), unreadable)
}
