import type { Reply } from '../../../src/base/http/client.ts'
import { attack, type Breach, type Case, type Met, type Tried } from '../../../src/requirement/attack.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { MintRequest } from '../../../src/roles/mint/driver.ts'
import { isOverload } from '../../backend/lib/describe-reply.ts'

/** A request that must be rejected; its name completes "a request with …". */
export interface WrongRequest extends Case {
  readonly request: MintRequest
}

export interface Outcome extends Met {
  readonly reply: Reply
  readonly status: number | null
  readonly hasMinted: boolean
}

/** Sends each request for a user of its own. Redirects are followed as in a control: a redirect alone is no rejection. */
export function rejectRequests(
  { mint, newUser }: CheckContext<'mint'>,
  judge: Judge,
  cases: readonly WrongRequest[],
  breaches: readonly Breach<WrongRequest, Outcome>[],
  judgeAll: (tried: readonly Tried<WrongRequest, Outcome>[]) => void = () => undefined,
): Promise<void> {
  return attack<WrongRequest, Outcome>(judge, {
    control: () => mint.token(newUser()),
    cases,
    of: 'for a request with',
    async send({ name, request }) {
      const reply = await mint.request({ followRedirects: true, case: `a request with ${name}`, ...request })
      const status = reply.kind === 'answer' ? reply.status : null
      const hasMinted = mint.issuedBy(reply) !== null
      const isLimitExpected = request.expectsLimit === true && status === 429
      const isUndecided = !hasMinted && isOverload(reply) && !isLimitExpected
      return { reply, status, hasMinted, isUndecided, evidence: [reply.exchange] }
    },
    // An overload that ordinary requests do not meet.
    recurs: ({ status }) => status !== null && status !== 429,
    breaches,
    judgeAll,
  })
}

export function noToken(clause: string, fix: string) {
  return {
    level: 'must' as const,
    saw: ({ hasMinted }: Outcome) => (hasMinted ? 'a calling token issued' : null),
    expected: `no token (${clause})`,
    fix,
  }
}

export function typicalStatus(
  typical: number,
  isFine: (status: number, one: WrongRequest) => boolean,
  orElse = '',
): Breach<WrongRequest, Outcome> {
  return {
    level: 'typical',
    saw: ({ hasMinted, status }, one) =>
      hasMinted || status === null || status === typical || isFine(status, one) ? null : `status ${status}`,
    expected: `status ${typical} (7)`,
    fix: `Answer ${typical}${orElse}.`,
  }
}

/** A crash for a value of the wrong type: whatever the field, such a request is the caller's mistake. */
export function noCrash(field: string): Breach<Case, Met & { readonly status: number | null }> {
  return {
    level: 'should',
    saw: ({ status }) => (status === 500 || status === 501 ? `status ${status}` : null),
    expected: 'a response other than 5xx (2.2)',
    fix: `Check the type of ${field} before it is used.`,
  }
}
