import type { Journal, Party, UnavailableParty } from '../base/evidence/exchange.ts'
import type { Unavailability } from '../base/evidence/transport-fault.ts'
import type { Judgement } from './judge.ts'

/** A part that was down, or that banned the suite, and so kept a requirement from being judged. */
export interface Cause {
  readonly part: 'mint' | 'backend' | 'signaling'
  readonly unavailable: Unavailability
}

/** Finds it in the exchanges that an error rests on; undefined for any other judgement. */
export function causeOf(
  { verdict, findings, defect }: Pick<Judgement, 'verdict' | 'findings' | 'defect'>,
  journal: Pick<Journal, 'unavailableIn'>,
): Cause | undefined {
  for (const { party, unavailable } of unavailableIn({ verdict, findings, defect }, journal))
    if (isPart(party)) return { part: party, unavailable }
  return undefined
}

/** Finds whose silence an error rests on: a part's, or a key set's; undefined for any other judgement. */
export function silentParty(
  judgement: Pick<Judgement, 'verdict' | 'findings' | 'defect'>,
  journal: Pick<Journal, 'unavailableIn'>,
): Party | undefined {
  return unavailableIn(judgement, journal).find(
    ({ party, unavailable }) => unavailable === 'silent' && (isPart(party) || party === 'jwks'),
  )?.party
}

/** Those that an error rests on, the last first. */
function unavailableIn(
  { verdict, findings, defect }: Pick<Judgement, 'verdict' | 'findings' | 'defect'>,
  journal: Pick<Journal, 'unavailableIn'>,
): UnavailableParty[] {
  if (verdict !== 'error' || defect === true) return []
  const evidence = findings.filter((one) => one.verdict === 'error').flatMap((one) => one.evidence)
  return evidence.toReversed().flatMap((id) => journal.unavailableIn(id) ?? [])
}

function isPart(party: Party | undefined): party is Cause['part'] {
  return party === 'mint' || party === 'backend' || party === 'signaling'
}
