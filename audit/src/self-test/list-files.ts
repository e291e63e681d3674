import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AuditError } from '../model/audit-error.ts'
import { printable } from '../model/location.ts'

/** A file that canaries may be planted into a copy of. */
export interface FileToPlant {
  readonly file: string
  readonly location: string
  readonly size: number
}

/** @throws AuditError `usage` for a path that does not exist */
export async function listFiles(paths: readonly string[], directory: string): Promise<FileToPlant[]> {
  const files: FileToPlant[] = []
  for (const path of paths) for await (const file of filesIn(resolve(directory, path), path)) files.push(file)
  return files
}

async function* filesIn(file: string, location: string): AsyncGenerator<FileToPlant> {
  let found: Awaited<ReturnType<typeof stat>>
  try {
    found = await stat(file)
  } catch (error) {
    throw new AuditError(
      'usage',
      `${printable(location)} cannot be tested: there is no such file or folder`,
      error,
    )
  }
  if (found.isFile()) yield { file, location, size: found.size }
  if (!found.isDirectory()) return
  const entries = await readdir(file, { withFileTypes: true })
  // A link would lead to a file that is there under its own name, or out of the path.
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1)))
    if (!entry.isSymbolicLink()) yield* filesIn(join(file, entry.name), `${location}/${entry.name}`)
}
