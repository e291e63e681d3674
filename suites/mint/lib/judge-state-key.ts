import { headerOf } from '../../../src/base/http/headers.ts'
import { type Check, defineCheck } from '../../../src/requirement/define.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { StateKey } from '../../../src/roles/mint/configuration.ts'
import { isSuccess } from '../../backend/lib/describe-reply.ts'
import { noToken, type Outcome, rejectRequests, typicalStatus } from './reject-requests.ts'

type Need = 'trialEndedKey' | 'suspendedKey' | 'cappedKey'

/** A state of a key's project; the name completes "a key …". */
interface KeyState {
  readonly name: string
  readonly need: Need
  /** The setting with such a key. */
  readonly setting: string
  readonly typical: number
}

/** The suite cannot provoke the state: a token, or a 401, accuses only where the operator attests it. */
export function rejectsStateKey(
  { name, need, setting, typical }: KeyState,
  heading: Pick<Check, 'id' | 'clauses' | 'basis' | 'title' | 'why' | 'mints'>,
) {
  return defineCheck({
    ...heading,
    level: 'MUST',
    kind: 'rejects',
    how: {
      does: [
        `Between two controls, requests tokens with the key at ${setting}, and records Retry-After. The suite brings no key into this state.`,
      ],
      fails: [
        'A token where the operator attests the state (attested: true), or where the status is a rejection.',
      ],
      warns: [`A status other than ${typical}.`],
      untested: [
        'A token, or 401 as for an unknown key, where the state is not attested: the precondition is not met.',
      ],
    },
    needs: ['mint', need],
    run: (parts, judge) => judgeStateKey(parts, judge, parts[need], { name, setting, typical }),
  })
}

function judgeStateKey(
  parts: CheckContext<'mint'>,
  judge: Judge,
  { key, attested }: StateKey,
  { name, setting, typical }: Omit<KeyState, 'need'>,
): Promise<void> {
  const expectsLimit = typical === 429
  const cases = [
    { name: `a key ${name}`, request: { key, expectsLimit } },
    { name: `a key ${name} and ttlSeconds`, request: { key, ttlSeconds: 900, expectsLimit } },
  ]
  // A rejection shows the state by itself: a token in its body needs no attestation.
  const stillMints = ({ hasMinted, reply }: Outcome) => hasMinted && isSuccess(reply) && !attested
  const isAsUnknown = ({ hasMinted, status }: Outcome) => !hasMinted && status === 401 && !attested
  const issued = noToken('7', `Reject a key ${name} with ${typical}, or correct ${setting}.`)
  const orElse = attested ? '' : `, or correct ${setting} if that key is in another state`
  return rejectRequests(
    parts,
    judge,
    cases,
    [
      { ...issued, saw: (seen, one) => (stillMints(seen) ? null : issued.saw(seen, one)) },
      typicalStatus(typical, { orElse, isFine: (status) => status === 401 && !attested }),
    ],
    {
      judgeAll(tried) {
        const seen = tried.map((one) => one.seen)
        const unmet = `precondition not met: the key at ${setting}`
        const attest = `set attested: true if it is a key ${name}`
        const minting = seen.filter(stillMints).flatMap(({ evidence }) => evidence)
        if (minting.length > 0) judge.lost(`${unmet} still mints; ${attest}`, minting)
        if (seen.some(isAsUnknown))
          judge.untested(`${unmet} is rejected with 401, as an unknown key is; correct it, or ${attest}`)
        judge.observe(
          'statuses',
          seen.map(({ status }) => status),
        )
        const reply = seen[0]?.reply
        const retryAfter = reply?.kind === 'answer' ? headerOf(reply.headers, 'retry-after') : undefined
        judge.observe('retryAfter', retryAfter ?? null)
      },
    },
  )
}
