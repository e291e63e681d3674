import type { Answer } from '../../../src/base/http/client.ts'
import { headerOf } from '../../../src/base/http/headers.ts'
import type { ReadToken } from '../../../src/base/tokens/decode.ts'
import { answeredAt } from '../../../src/base/tokens/token-lifetime.ts'
import type { Judge } from '../../../src/requirement/judge.ts'

/** A token whose claims can be read, and the response that it came in. */
export interface TimedToken {
  readonly claims: NonNullable<ReadToken['claims']>
  readonly answer: Answer
  /** Milliseconds since 1970 when it came, by this machine's clock. */
  readonly receivedAt: number
}

const timeClaims = ['exp', 'iat', 'nbf'] as const
/** More than clocks of one service differ, less than any time zone. */
const slackSeconds = 30

/** Judges exp, iat and nbf (RFC 7519, 4.1) of new tokens; "now" is the `Date` of the response. */
export function judgeTimeClaims(tokens: readonly TimedToken[], judge: Judge): void {
  const evidence = tokens.map(({ answer }) => answer.exchange)
  const noNumber = timeClaims.filter((name) =>
    tokens.some(({ claims }) => name in claims && typeof claims[name] !== 'number'),
  )
  judge.should(noNumber.length === 0, {
    saw: `${noNumber.join(' and ')} in another form than a number`,
    expected: 'times in claims as numbers of seconds since 1970 (RFC 7519, section 4.1)',
    fix: 'Write the times in claims as numbers of seconds: JWT libraries reject other forms.',
    evidence,
  })
  const isEndless = tokens.some(({ claims }) => !('exp' in claims))
  judge.advisory(!isEndless, {
    saw: 'a token whose claims can be read and state no exp',
    expected: 'an exp, by which every verifier sees when the token ends (RFC 7519, section 4.1.4)',
    fix: 'Set exp to the time of issue plus ttlSeconds: a token without it is valid for ever to JWT libraries.',
    evidence,
  })
  for (const name of ['iat', 'nbf'] as const) {
    const ahead = Math.round(Math.max(...tokens.map((token) => secondsUntil(token, name) ?? 0)))
    judge.should(ahead <= slackSeconds, {
      saw: `${name} ${ahead} s after the response's time`,
      expected: `${name} no later than the time of issue`,
      fix: `Set ${name} to the time of issue in seconds, or leave it out: verifiers reject a token from the future.`,
      evidence,
    })
  }
  // Tokens that outlive the difference between two clocks of one service, and have ended all the same, end in another time zone.
  const ended = tokens.filter((token) => (secondsUntil(token, 'exp') ?? 1) <= -slackSeconds)
  const worst = Math.round(Math.max(...ended.map((token) => -(secondsUntil(token, 'exp') ?? 0))))
  const isCertain =
    ended.length === tokens.length &&
    tokens.every(({ answer }) => headerOf(answer.headers, 'date') !== undefined)
  judge[isCertain ? 'must' : 'should'](ended.length === 0, {
    saw: `${ended.length} of ${tokens.length} new tokens with an exp up to ${worst} s before the response's time`,
    expected: 'tokens that end ttlSeconds after they are issued (2.2)',
    fix: 'Compute exp from the time in UTC, and set the clock.',
    evidence: ended.map(({ answer }) => answer.exchange),
  })
}

/** From the response to the time in a claim; null where there is no such number. */
function secondsUntil({ claims, answer, receivedAt }: TimedToken, name: string): number | null {
  const value = claims[name]
  return typeof value === 'number'
    ? value - (answeredAt(claims['iat'], answer, receivedAt) ?? receivedAt) / 1000
    : null
}
