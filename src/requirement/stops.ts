import type { Journal, Party, SentCase } from '../base/evidence/exchange.ts'
import { verdictOfBreach } from '../base/verdict.ts'
import { causeOf } from './cause.ts'
import type { AnyCheck } from './define.ts'
import { describeBreach, type Judgement, type Try } from './judge.ts'

/** A part runs and serves nothing behind a case: what the case took was never freed, or the part is sick by itself. */
export interface Stop extends SentCase {
  readonly party: Party
}

/** Null where the try was judged, or no case was sent to the part. */
export function findStop(
  { conclude, exchanges = [] }: Pick<Try, 'conclude' | 'exchanges'>,
  journal: Pick<Journal, 'lastCaseAt' | 'rejectedIn' | 'unavailableIn'>,
): Stop | null {
  const cause = causeOf(conclude(), journal)
  if (cause?.unavailable !== 'silent' && cause?.unavailable !== 'failing') return null
  const sent = journal.lastCaseAt(cause.part, exchanges)
  return sent === null ? null : { party: cause.part, ...sent }
}

/** A part that was started again, and serves nothing behind the same case again, has failed the requirement. */
export function judgeStops(
  { level }: Pick<AnyCheck, 'level'>,
  judgement: Judgement,
  { first, second }: { readonly first: Stop; readonly second: Stop | null },
): Judgement {
  if (second?.party !== first.party || second.case !== first.case) return judgement
  const verdict = verdictOfBreach(level)
  const finding = describeBreach(
    { level, verdict },
    {
      saw: `the ${first.party} stop serving twice, each time after ${first.case}, although it was restarted`,
      expected: 'other requests served',
      fix: 'Free what a request holds, its connection, worker and lock, however the request ends.',
      evidence: [first.exchange, second.exchange],
    },
  )
  return { ...judgement, verdict, findings: [...judgement.findings, finding] }
}
