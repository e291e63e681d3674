import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { TwotokenError } from '../base/errors.ts'

/**
 * The nearest `twotoken.yaml`, in the folder or above it up to the root of its repository. Outside a repository only the
 * folder itself counts: the file runs commands, and others may write above it.
 */
export function findConfiguration(folder: string): string | undefined {
  const folders = foldersOfRepository(folder)
  const file = (folders.length === 0 ? [folder] : folders)
    .map((one) => join(one, 'twotoken.yaml'))
    .find((one) => existsSync(one))
  return file === undefined ? undefined : relative(folder, file)
}

/** @throws TwotokenError `configuration` where there is none */
export function requireConfiguration(folder: string): string {
  const file = findConfiguration(folder)
  if (file !== undefined) return file
  throw new TwotokenError(
    'configuration',
    'found no twotoken.yaml in this folder or above it in the repository: write one with npx twotoken init, name one with --config, or run against the embedded reference with --reference',
  )
}

/** The folder and those above it, up to the one with `.git`. */
function foldersOfRepository(folder: string): readonly string[] {
  const above = dirname(folder)
  if (existsSync(join(folder, '.git'))) return [folder]
  if (above === folder) return []
  const further = foldersOfRepository(above)
  return further.length === 0 ? [] : [folder, ...further]
}
