import type { Judge } from '../../../src/requirement/judge.ts'

/** The mint's answer to a value of the wrong type. */
export interface WrongType {
  /** "a number as userId" */
  readonly name: string
  /** Null without an answer. */
  readonly status: number | null
  readonly exchange: string
}

/** Judges that no value of the wrong type ends in a crash: whatever the field, such a request is the caller's mistake. */
export function judgeCrashes(judge: Judge, field: string, outcomes: readonly WrongType[]): void {
  const crashed = outcomes.filter(({ status }) => status === 500 || status === 501)
  judge.should(crashed.length === 0, {
    saw: `status ${crashed[0]?.status} for a request with ${crashed.map(({ name }) => name).join(', ')}`,
    expected: 'a response other than 5xx (2.2)',
    fix: `Check the type of ${field} before it is used.`,
    evidence: crashed.map(({ exchange }) => exchange),
  })
}
