import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TwotokenError } from '../base/errors.ts'
import { findNearestNames } from '../base/nearest-names.ts'
import { type AnyCheck, type BrokenVariants, type Role, roles } from '../requirement/define.ts'

const ownSuites = join(import.meta.dirname, '../../suites')
/** Sources run as `.ts`, the package as `.js`: the requirements are beside us in the same form. */
const extension = extname(import.meta.filename)

/** Loads every requirement, one per file of `suites/<role>/`, in the order of their ids; those of some roles where named. */
export async function loadCatalogue(
  wanted: readonly Role[] = roles,
  suites: string = ownSuites,
): Promise<AnyCheck[]> {
  return await loadEach(wanted, suites, loadCheck)
}

export type LoadModule = (file: string) => Promise<object>

export const loadOnce: LoadModule = (file) => import(pathToFileURL(file).href)

let loads = 0
/** Variants that were judged keep what was done to them: loaded anew, they are as at first. */
export const loadAnew: LoadModule = (file) => import(`${pathToFileURL(file).href}?${++loads}`)

export type ProvenCheck = AnyCheck & { readonly catches: BrokenVariants }

/**
 * Loads every requirement with its broken variants, from `<name>.broken.ts`; one that only records may have none.
 * @param load reads the module of the variants
 */
export async function loadProvenCatalogue(
  wanted: readonly Role[] = roles,
  suites: string = ownSuites,
  load: LoadModule = loadOnce,
): Promise<ProvenCheck[]> {
  return await loadEach(wanted, suites, async (file) => {
    const check = await loadCheck(file)
    const beside = `${file.slice(0, -extension.length)}.broken${extension}`
    const hasNone = check.level === 'INFO' && !existsSync(beside)
    return { ...check, catches: hasNone ? {} : await loadBroken(beside, load) }
  })
}

async function loadEach<Known extends AnyCheck>(
  wanted: readonly Role[],
  suites: string,
  load: (file: string) => Promise<Known>,
): Promise<Known[]> {
  const folders = new Set<string>(wanted)
  const files = (await readdir(suites, { recursive: true }))
    .filter((file) => /^[a-z]+[\\/][^\\/]+$/.test(file) && extname(file) === extension)
    .filter((file) => folders.has(dirname(file)) && !/[.](?:d|test|broken)[.][jt]s$/.test(file))
  const checks = await Promise.all(files.map((file) => load(join(suites, file))))
  const sorted = checks.toSorted(
    (one, other) => roles.indexOf(one.role) - roles.indexOf(other.role) || one.id.localeCompare(other.id),
  )
  const twice = sorted.find(({ id }, at) => id === sorted[at + 1]?.id)
  if (twice === undefined) return sorted
  throw defect(`two requirements have the id ${twice.id}: give one of them the next free id`)
}

async function loadCheck(file: string): Promise<AnyCheck> {
  const { default: check }: { default?: AnyCheck } = await loadOnce(file)
  if (check !== undefined) return check
  throw defect(`${file} has no requirement as its default export; helpers of a role belong in its folder lib`)
}

async function loadBroken(file: string, load: LoadModule): Promise<BrokenVariants> {
  const { broken }: { broken?: BrokenVariants } = await load(file)
  if (broken !== undefined) return broken
  throw defect(`${file} does not export the variants that the requirement must catch, as broken`)
}

function defect(what: string): TwotokenError {
  return new TwotokenError('internal', what)
}

/** The requirement of this id, in any case of letters. Throws TwotokenError `usage` with the nearest ids. */
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
