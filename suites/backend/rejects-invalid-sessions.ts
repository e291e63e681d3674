import { attack, listNames } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { millisecondsLeft } from '../lib/token-end.ts'
import { hasDetail, hasErrorText, isFailure, isSuccess, showReply } from './lib/describe-reply.ts'
import {
  callingJwtName,
  createInvalidSessions,
  type InvalidSession,
  mayBeDropped,
  mayLive,
  signedOutName,
} from './lib/invalid-sessions.ts'
import { offerRequest } from './lib/offer-request.ts'
import { withShortLivedTokens } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-02',
  level: 'MUST',
  kind: 'rejects',
  clauses: ['4.2.1'],
  basis: 'The backend validates the sessionToken, and rejects one that is invalid or expired (4.2.1).',
  title: 'rejects requests without a valid session',
  why: 'The session is the only link between a calling token and a user: a token issued without one impersonates that user.',
  how: {
    does: [
      'Between two controls, calls the token route without a session; with sessions that are made up (also under the scheme Basic), truncated, tampered, signed out or expired; and with the API key or a calling JWT in its place.',
      'Repeats each of these requests with the method that is not configured, where only a token counts.',
      "Also sends what a careless comparison takes for the session of alice: it or its last part in the other case, without its punctuation, shorter or longer by four characters, a number with another last digit, her userId, and texts such as undefined, test-token, constructor, %, {\"$ne\":null} and 'OR'1'='1, one of 4,000 characters, and one with a letter that is not ASCII.",
      'Moves a time that can be read in an expired session to tomorrow.',
      'Without a session, also names alice in headers such as X-Forwarded-User, together and each alone, and by the usual names in the body, the query and cookies, names 127.0.0.1 in X-Forwarded-For, and tries HEAD, OPTIONS, PUT, PATCH, DELETE and the path with a slash more or less at its end, with two slashes for one, and in another case: there too only a token counts.',
      'A valid session under the scheme Basic or Token is recorded: it proves the login all the same.',
    ],
    fails: ['A 2xx status or a token.'],
    warns: [
      'A token for a signed-out session that is a JWT and states a later end: a login may let such sessions live until then (BACK-21).',
      'A status other than 401, or a body without the string "error".',
    ],
    untested: [
      'A request that met a rate limit, a gateway error or no response, unless only a token counts and the next one meets none, either.',
      'A calling JWT that had expired when it was offered.',
    ],
  },
  mints: 5,
  needs: ['backend'],
  async run(parts, judge) {
    const { backend, clock } = parts
    await withShortLivedTokens(parts, async () => {
      const fetched = await backend.token()
      const session = await backend.exactSession(backend.alice)
      const leftAt = (instant: number) => millisecondsLeft(fetched.jwt, clock, instant)
      /** Between its request and the offer, so that clock skew does not matter. */
      const hasEndedBy = (instant: number) => leftAt(fetched.answer.sentAt) > 0 && leftAt(instant) <= 0
      await attack(judge, {
        control: () => backend.token(session),
        cases: createInvalidSessions(parts, session, fetched.jwt),
        of: 'for a request with',
        async send(one) {
          const seen = await offerRequest(backend, { ...one.request, case: one.name })
          const { reply } = seen
          if (one.name.startsWith(callingJwtName) && !seen.hasToken && hasEndedBy(reply.sentAt))
            judge.missed('the calling JWT had expired when it was offered as the session')
          return { ...seen, mayBeDropped: mayBeDropped(one, reply) }
        },
        recurs: (seen) => seen.mayBeDropped,
        breaches: [
          {
            level: 'must',
            expected: 'a non-2xx status and no token (4.2.1)',
            fix: (cases) =>
              `Validate the session before anything else, whatever the method, the spelling of the path and other headers are, compare all of it, and answer 401${elseInFile(cases)}.`,
            saw({ reply, hasToken }, { name, onlyTokenCounts }) {
              if (hasToken) return mayLive(name) ? null : `${showReply(reply)} and a calling token`
              return onlyTokenCounts || !isSuccess(reply) ? null : showReply(reply)
            },
          },
          {
            level: 'should',
            expected: 'a rejection, as for any session that is not valid (4.2.1)',
            fix: (cases) =>
              `Look signed-out sessions up, or let sessions live for minutes and renew them${elseInFile(cases)}.`,
            saw: ({ hasToken }, { name }) => (hasToken && mayLive(name) ? 'a calling token' : null),
          },
          // A request that is accused above needs no warning as well.
          {
            level: 'should',
            expected: 'status 401 (7.2)',
            fix: 'Answer 401 with { "error": "…" }.',
            saw: ({ reply, hasToken }, { onlyTokenCounts }) =>
              onlyTokenCounts ||
              hasToken ||
              isSuccess(reply) ||
              (reply.kind === 'answer' && reply.status === 401)
                ? null
                : showReply(reply),
          },
          {
            level: 'should',
            expected: '{ "error": "…" } (7.2)',
            fix: 'Answer 401 with { "error": "…" }.',
            saw: ({ reply, hasToken }, { onlyTokenCounts }) =>
              onlyTokenCounts || hasToken || !isFailure(reply) || hasErrorText(reply)
                ? null
                : `a body ${hasDetail(reply) ? 'with "detail" in place of' : 'without'} the string "error"`,
          },
        ],
        judgeAll(tried) {
          const decided = tried.filter(({ seen }) => !seen.isUndecided)
          // A route that is nowhere else shows nothing of sessions.
          if (decided.every(({ one, seen }) => one.onlyTokenCounts && !seen.hasToken))
            judge.lost('no request without a valid session was rejected by the route itself')
        },
      })
      for (const scheme of ['Basic', 'Token']) {
        const { hasToken } = await offerRequest(backend, {
          authorization: `${scheme} ${session.token}`,
          case: `a valid session under the scheme ${scheme}`,
        })
        judge.observe(`backend.takesScheme${scheme}`, hasToken)
      }
    })
  },
})

/** Cases that rest on the file: a session there may still live. */
const fromFile: Readonly<Record<string, string>> = {
  'an expired session': 'backend.sessions.expired',
  [signedOutName]: 'backend.sessions.signedOut',
}

function elseInFile(cases: readonly InvalidSession[]): string {
  const settings = Object.entries(fromFile).flatMap(([name, setting]) =>
    cases.some((one) => one.name.startsWith(name)) ? [setting] : [],
  )
  return settings.length === 0 ? '' : `; where its session still lives, correct ${listNames(settings)}`
}
