import type { Journal, Party, UnavailableParty } from '../base/evidence/exchange.ts'
import type { Unavailability } from '../base/evidence/transport-fault.ts'
import { listCases } from './deaths.ts'
import type { Judgement } from './judge.ts'

/** A part that was down, or that rejected ordinary use, and so kept a requirement from being judged. */
export interface Cause {
  readonly part: 'mint' | 'backend' | 'signaling'
  readonly unavailable: Unavailability
  /** The cases that were under way when it ended, as a list of nouns. */
  readonly during?: string | undefined
}

/** Finds it in the exchanges that an error rests on; undefined for any other judgement. */
export function causeOf(
  judgement: Pick<Judgement, 'verdict' | 'findings' | 'defect'>,
  journal: Pick<Journal, 'unavailableIn' | 'rejectedIn'>,
): Cause | undefined {
  for (const { party, unavailable, endedAt = [] } of unavailableIn(judgement, journal))
    if (isPart(party))
      return { part: party, unavailable, ...(endedAt.length > 0 && { during: listCases(endedAt) }) }
  // The control stands last: what is rejected before it may be an attack.
  for (const { evidence } of errorsOf(judgement)) {
    const party = journal.rejectedIn(evidence.at(-1) ?? '')
    if (isPart(party)) return { part: party, unavailable: 'rejecting' }
  }
  return undefined
}

/** Whose silence or failure an error rests on, a part's or a key set's: it may have met a busy machine. Else undefined. */
export function overloadedParty(
  judgement: Pick<Judgement, 'verdict' | 'findings' | 'defect'>,
  journal: Pick<Journal, 'unavailableIn'>,
): Party | undefined {
  return unavailableIn(judgement, journal).find(
    ({ party, unavailable }) => overloads.has(unavailable) && (isPart(party) || party === 'jwks'),
  )?.party
}

const overloads: ReadonlySet<Unavailability> = new Set(['silent', 'failing'])

/** Finds the part that left a request undecided other than by a limit, which a pace follows; undefined where there is none. */
export function undecidedParty(
  exchanges: readonly string[],
  journal: Pick<Journal, 'unavailableIn'>,
): Cause['part'] | undefined {
  const others = exchanges
    .flatMap((id) => journal.unavailableIn(id) ?? [])
    .filter(({ unavailable }) => unavailable !== 'limited')
  return others.map(({ party }) => party).find(isPart)
}

/** Those that an error rests on, the last first. */
function unavailableIn(
  judgement: Pick<Judgement, 'verdict' | 'findings' | 'defect'>,
  journal: Pick<Journal, 'unavailableIn'>,
): UnavailableParty[] {
  const evidence = errorsOf(judgement).flatMap((one) => one.evidence)
  return evidence.toReversed().flatMap((id) => journal.unavailableIn(id) ?? [])
}

function errorsOf({
  verdict,
  findings,
  defect,
}: Pick<Judgement, 'verdict' | 'findings' | 'defect'>): Judgement['findings'] {
  return verdict !== 'error' || defect === true ? [] : findings.filter((one) => one.verdict === 'error')
}

function isPart(party: Party | null | undefined): party is Cause['part'] {
  return party === 'mint' || party === 'backend' || party === 'signaling'
}
