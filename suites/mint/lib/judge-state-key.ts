import { headerOf } from '../../../src/base/http/headers.ts'
import { type Check, defineCheck } from '../../../src/requirement/define.ts'
import { isSuccess } from '../../backend/lib/describe-reply.ts'
import { noToken, type Outcome, rejectRequests, typicalStatus } from './reject-requests.ts'

/** A state of a key's project; the name completes "a key …". */
interface KeyState {
  readonly name: string
  readonly need: 'trialEndedKey' | 'suspendedKey' | 'cappedKey'
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
    run(parts, judge) {
      const { key, attested } = parts[need]
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
      const breaches = [
        { ...issued, saw: (seen: Outcome) => (stillMints(seen) ? null : issued.saw(seen)) },
        typicalStatus(typical, (status) => status === 401 && !attested, orElse),
      ]
      return rejectRequests(parts, judge, cases, breaches, (tried) => {
        const seen = tried.map((one) => one.seen)
        const unmet = `precondition not met: the key at ${setting}`
        const attest = `set attested: true if it is a key ${name}`
        const minting = seen.filter(stillMints).flatMap(({ evidence }) => evidence)
        if (minting.length > 0) judge.lost(`${unmet} still mints; ${attest}`, minting)
        if (seen.some(isAsUnknown))
          judge.untested(`${unmet} is rejected with 401, as an unknown key is; correct it, or ${attest}`)
        const statuses = seen.map(({ status }) => status)
        judge.observe('statuses', statuses)
        const reply = seen[0]?.reply
        const retryAfter = reply?.kind === 'answer' ? headerOf(reply.headers, 'retry-after') : undefined
        judge.observe('retryAfter', retryAfter ?? null)
      })
    },
  })
}
