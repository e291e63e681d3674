import { headerOf } from '../../src/base/http/headers.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { PartsOf } from '../../src/requirement/needs.ts'
import type { StateKey } from '../../src/roles/mint/types.ts'
import { judgeNoTokenIssued, judgeTypicalStatus, sendAttacks } from './send-attacks.ts'

/** A state that a key's project may be in; the name completes "a key …". */
export interface KeyState {
  readonly name: string
  /** Where the configuration names such a key. */
  readonly setting: string
  readonly typicalStatus: number
}

/**
 * Judges that a key in a state which cannot be provoked from outside mints nothing. A token shows that the service
 * is wrong only where the operator vouches for the state; otherwise the key may simply not be in it.
 */
export function judgeStateKey(
  parts: PartsOf<'mint'>,
  judge: Judge,
  { key, attested }: StateKey,
  { name, setting, typicalStatus }: KeyState,
): Promise<void> {
  const attacks = [
    { name: `a key ${name}`, request: { key, expectsLimit: true } },
    { name: `a key ${name} and with ttlSeconds`, request: { key, ttlSeconds: 900, expectsLimit: true } },
  ]
  return sendAttacks(parts, judge, attacks, (outcomes) => {
    const minted = outcomes.filter(({ hasMinted }) => hasMinted)
    if (minted.length > 0 && !attested)
      judge.lost(
        `precondition not met: the key at ${setting} still mints; if it is certainly ${name}, say attested: true`,
        minted.map(({ reply }) => reply.exchange),
      )
    else judgeNoTokenIssued(judge, outcomes)
    judgeTypicalStatus(judge, outcomes, typicalStatus)
    judge.observe(
      'statuses',
      outcomes.map(({ status }) => status),
    )
    const [{ reply } = { reply: null }] = outcomes
    const retryAfter = reply?.kind === 'answer' ? headerOf(reply.headers, 'retry-after') : undefined
    judge.observe('retryAfter', retryAfter ?? null)
  })
}
