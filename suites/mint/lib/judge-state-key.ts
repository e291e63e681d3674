import { headerOf } from '../../../src/base/http/headers.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { StateKey } from '../../../src/roles/mint/configuration.ts'
import { judgeNoTokenIssued, judgeTypicalStatus, sendAttacks } from './send-attacks.ts'

/** A state of a key's project; the name completes "a key …". */
export interface KeyState {
  readonly name: string
  /** The setting with such a key. */
  readonly setting: string
  readonly typicalStatus: number
}

/**
 * Judges that a key in a state which the suite cannot provoke is rejected. A token, or the 401 of an unknown
 * key, accuses the service only where the operator attests the state; otherwise the key may not be in it.
 */
export function judgeStateKey(
  parts: CheckContext<'mint'>,
  judge: Judge,
  { key, attested }: StateKey,
  { name, setting, typicalStatus }: KeyState,
): Promise<void> {
  const expectsLimit = typicalStatus === 429
  const attacks = [
    { name: `a key ${name}`, request: { key, expectsLimit } },
    { name: `a key ${name} and ttlSeconds`, request: { key, ttlSeconds: 900, expectsLimit } },
  ]
  return sendAttacks(parts, judge, attacks, (outcomes) => {
    // A rejection shows the state by itself: a token in its body needs no attestation.
    const minted = outcomes.filter(({ hasMinted, status }) => hasMinted && isSuccess(status))
    const inRejection = outcomes.filter(({ hasMinted, status }) => hasMinted && !isSuccess(status))
    const isAsUnknown = outcomes.every(({ hasMinted, status }) => !hasMinted && status === 401)
    if (isAsUnknown && !attested)
      judge.untested(
        `precondition not met: the key at ${setting} is rejected with 401, as an unknown key is; correct it, or set attested: true if it is a key ${name}`,
      )
    else if (minted.length > 0 && inRejection.length === 0 && !attested)
      judge.lost(
        `precondition not met: the key at ${setting} still mints; set attested: true if it is a key ${name}`,
        minted.map(({ reply }) => reply.exchange),
      )
    else
      judgeNoTokenIssued(judge, outcomes, {
        clause: '7',
        fix: `Reject a key ${name} with ${typicalStatus}, or correct ${setting}.`,
      })
    const orElse = attested ? '' : `, or correct ${setting} if that key is in another state`
    if (!isAsUnknown || attested) judgeTypicalStatus(judge, outcomes, typicalStatus, orElse)
    judge.observe(
      'statuses',
      outcomes.map(({ status }) => status),
    )
    const [{ reply } = { reply: null }] = outcomes
    const retryAfter = reply?.kind === 'answer' ? headerOf(reply.headers, 'retry-after') : undefined
    judge.observe('retryAfter', retryAfter ?? null)
  })
}

function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 299
}
