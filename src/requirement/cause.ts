import type { Journal, Party } from '../base/evidence/exchange.ts'
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
  if (verdict !== 'error' || defect === true) return undefined
  const evidence = findings.filter((one) => one.verdict === 'error').flatMap((one) => one.evidence)
  for (const id of evidence.toReversed()) {
    const { party, unavailable } = journal.unavailableIn(id) ?? {}
    if (unavailable !== undefined && isPart(party)) return { part: party, unavailable }
  }
  return undefined
}

function isPart(party: Party | undefined): party is Cause['part'] {
  return party === 'mint' || party === 'backend' || party === 'signaling'
}
