import { readdir } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TwotokenError } from '../base/errors.ts'
import { findNearestNames } from '../base/nearest-names.ts'
import { type AnyCheck, type Role, roles } from '../requirement/define.ts'

const ownSuites = join(import.meta.dirname, '../../suites')
/** Sources run as `.ts`, the package as `.js`: the requirements are beside us in the same form. */
const extension = extname(import.meta.filename)

/** Loads every requirement, one per file of `suites/<role>/`, in the order of their ids; those of some roles where named. */
export async function loadCatalogue(
  wanted: readonly Role[] = roles,
  suites: string = ownSuites,
): Promise<AnyCheck[]> {
  const folders = new Set<string>(wanted)
  const files = (await readdir(suites, { recursive: true }))
    .filter((file) => /^[a-z]+[\\/][^\\/]+$/.test(file) && extname(file) === extension)
    .filter((file) => folders.has(dirname(file)))
    .filter((file) => !file.endsWith('.d.ts') && !file.endsWith(`.test${extension}`))
  const checks = await Promise.all(files.map((file) => loadCheck(join(suites, file))))
  return checks.sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role) || a.id.localeCompare(b.id))
}

async function loadCheck(file: string): Promise<AnyCheck> {
  const { default: check }: { default?: AnyCheck } = await import(pathToFileURL(file).href)
  if (check !== undefined) return check
  throw new TwotokenError(
    'internal',
    `${file} has no requirement as its default export; helpers of a role belong in its folder lib`,
  )
}

/**
 * The requirement of this id, in any case of letters.
 * @throws TwotokenError `usage`, with the nearest ids
 */
export function findCheck<Known extends { readonly id: string }>(
  id: string,
  catalogue: readonly Known[],
): Known {
  const check = catalogue.find((known) => known.id === id.trim().toUpperCase())
  if (check !== undefined) return check
  const near = findNearestNames(
    id,
    catalogue.map((known) => known.id),
  )
  throw new TwotokenError(
    'usage',
    `unknown requirement "${id}"; did you mean ${near}? twotoken list shows all`,
  )
}
