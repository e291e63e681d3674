import { readFile } from 'node:fs/promises'
import { built } from '../../fixtures/built.ts'
import type { Invariant } from '../explore/engine/subject.ts'
import type { AnyCheck, Catch } from '../requirement/define.ts'

/** A requirement without its program. */
export interface DescribedCheck extends Omit<AnyCheck, 'run' | 'catches'> {
  readonly catches: Readonly<Record<string, Pick<Catch, 'as'>>>
}

export interface DescribedCatalogue {
  readonly checks: readonly DescribedCheck[]
  readonly invariants: readonly Invariant[]
}

/**
 * Reads the catalogue as data, which `npm run build` writes: loading the requirements themselves takes a second.
 * @throws TwotokenError `precondition` where it was not built
 */
export async function readDescribedCatalogue(): Promise<DescribedCatalogue> {
  return JSON.parse(await readFile(built('catalogue.json'), 'utf8'))
}
