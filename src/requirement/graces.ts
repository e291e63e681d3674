import type { Level } from '../base/verdict.ts'

/** How a run and an exploration judge what the specification sets no time for. */
interface Grace {
  readonly level: Level
  /** For so long nothing is held against the implementation. */
  readonly seconds?: number
}

/** The judge's word for a level. */
export const judgedBy = { MUST: 'must', SHOULD: 'should', ADVISORY: 'advisory' } as const

/** Sessions that are verified without a look at the login outlive a sign-out (BACK-21, EXP-04). */
export const servedAfterSignOut = { level: 'SHOULD', seconds: 10 } as const satisfies Grace

/** A gateway or a system may answer for a backend after a minute (BACK-07, EXP-06); limits.backendAnswerSeconds comes first. */
export const leftWithoutAnswer = { level: 'SHOULD' } as const satisfies Grace

/** The example of clause 4.1 takes the whole body of a mint for the token (BACK-07, EXP-06). */
export const successOfTokenlessMint = { level: 'SHOULD' } as const satisfies Grace
