import type { BrokenOff, Journal, Party } from '../base/evidence/exchange.ts'
import { verdictOfBreach, worst } from '../base/verdict.ts'
import type { AnyCheck } from './define.ts'
import { describeBreach, type Judgement } from './judge.ts'

/** A part broke off a request of a case, and refused connections next: it ended, or something ended it. */
interface Death extends BrokenOff {
  readonly party: Party
}

/** @param exchanges ids of the exchanges of one try or of both: an end belongs to the check that sent what was broken off */
export function findDeaths(exchanges: readonly string[], journal: Pick<Journal, 'unavailableIn'>): Death[] {
  const deaths = exchanges.flatMap((id) => {
    const { party, endedAt = [] } = journal.unavailableIn(id) ?? {}
    const own = endedAt.filter((one) => exchanges.includes(one.exchange))
    return party === undefined ? [] : own.map((one) => ({ party, ...one }))
  })
  // Each connection that is refused tells the same death.
  return [...new Map(deaths.map((one) => [one.exchange, one])).values()]
}

/** A part that came back and ended at the same case again has failed the requirement: no network ends it twice at one. */
export function addRepeatedDeaths(
  { level }: Pick<AnyCheck, 'level'>,
  judgement: Judgement,
  deaths: readonly Death[],
): Judgement {
  const again = deaths.filter((one) =>
    deaths.some((other) => isAlike(one, other) && other.outage !== one.outage),
  )
  const alone = again.filter((one) => one.isAmongOthers !== true)
  const repeated = alone.length > 0 ? alone : again
  const [first] = repeated
  if (first === undefined || level === 'INFO') return judgement
  const verdict = verdictOfBreach(level)
  const finding = describeBreach(
    { level, verdict },
    {
      saw: `the ${first.party} exit twice, each time during ${listCases(repeated)}`,
      expected: 'an answer',
      fix: 'Catch the errors of each request, and answer with an error status.',
      evidence: deaths.filter((one) => isAlike(one, first)).map(({ exchange }) => exchange),
    },
  )
  return {
    ...judgement,
    verdict: worst([judgement.verdict], verdict),
    findings: [...judgement.findings, finding],
  }
}

const namedAtMost = 3

/** "a key in the query, a key in a cookie or 2 others". */
export function listCases(deaths: readonly BrokenOff[]): string {
  const names = [...new Set(deaths.map((one) => one.case))]
  const shown = names.slice(0, namedAtMost)
  const left = names.length - shown.length
  if (left > 0) shown.push(`${left} ${left === 1 ? 'other' : 'others'}`)
  return new Intl.ListFormat('en', { type: 'disjunction' }).format(shown)
}

function isAlike(one: Death, other: Death): boolean {
  return one.party === other.party && one.case === other.case
}
