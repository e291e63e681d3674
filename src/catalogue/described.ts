import { readFile } from 'node:fs/promises'
import { built } from '../../fixtures/built.ts'
import type { Invariant } from '../explore/invariants.ts'
import type { AnyCheck, Catch } from '../requirement/define.ts'

export type DescribedCheck = Omit<AnyCheck, 'run'>

export interface ListedCheck extends DescribedCheck {
  readonly catches: Readonly<Record<string, Pick<Catch, 'as'>>>
}

export interface DescribedCatalogue {
  readonly checks: readonly ListedCheck[]
  readonly invariants: readonly Invariant[]
}

/** Reads the catalogue as data: loading the requirements takes a second. Throws TwotokenError where it was not built. */
export async function readDescribedCatalogue(): Promise<DescribedCatalogue> {
  return JSON.parse(await readFile(built('catalogue.json'), 'utf8'))
}
