import type { Verdict } from '../base/verdict.ts'

/** The parts that the reference can replace while a requirement is judged again. */
export const replaceableParts = ['mint', 'backend', 'signaling'] as const
export type ReplaceablePart = (typeof replaceableParts)[number]

/** One row of the table: the requirement with the reference as these parts. */
export interface BlameTry {
  /** Empty: everything as configured, once more. */
  readonly replaced: readonly ReplaceablePart[]
  /** Null where the reference cannot take the place; `detail` then says what is missing. */
  readonly verdict: Verdict | null
  /** The first finding, or why there is no judgement; null where it passed. */
  readonly detail: string | null
}

/**
 * `part`: it heals with the reference as that part, and as no other. `parts`: only with the reference as all of these.
 * `none`: it fails with nothing but references, too. `unknown`: none of these was shown.
 */
export const conclusions = ['part', 'parts', 'none', 'unknown'] as const

/** Whose fault a violation is that more than one part took part in. */
export interface Blame {
  readonly conclusion: (typeof conclusions)[number]
  /** Parts that the conclusion names; for `unknown`, the parts whose replacement removes the violation. */
  readonly parts: readonly ReplaceablePart[]
  /** The conclusion as a sentence. */
  readonly sentence: string
  readonly tries: readonly BlameTry[]
}
