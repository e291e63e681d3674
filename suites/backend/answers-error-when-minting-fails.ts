import type { Clock } from '../../src/base/clock.ts'
import { watchForStandstills } from '../../src/base/standstill.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { isStillValid } from '../../src/base/tokens/token-lifetime.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { UserSession } from '../../src/roles/backend/types.ts'
import type { ScriptedMint } from '../../src/roles/mint/double.ts'
import { askPastCache } from './lib/ask-past-cache.ts'
import { createFailureWaits } from './lib/failure-waits.ts'
import { createReplyJudge } from './lib/judge-failure-replies.ts'
import { judgeUserOfToken } from './lib/judge-user-of-token.ts'
import { createMeet, meetSilence } from './lib/meet-minting-failure.ts'
import { bodiless, type Failure, hanging, promptFailures } from './lib/minting-failures.ts'
import { jsonAnswer } from './lib/variant-answers.ts'
import { breakAfterFailure, fallBackToLast, mintAhead } from './lib/variant-caches.ts'
import { printRequest } from './lib/variant-leaks.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-07',
  role: 'backend',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['2.1.1', '2.1.4', '4.2.4'],
  basis:
    'The backend answers with an error when the mint call fails (4.2.4), in which no client gets the API key (2.1.1) or the token of another user (2.1.4).',
  title: 'answers with an error when minting fails',
  why: 'A failure that looks like a success gives the app an undefined token; a request that never ends leaves the user waiting.',
  how: {
    does: [
      "The suite's mint double answers with each status of clause 7 and with server errors, hangs, resets, refuses connections, and redirects, sends headers without a body, and answers 200 with HTML, plain text, an empty body, JSON without a token, with an empty or numeric token, or truncated JSON.",
      'Expects a non-2xx response without a token each time; a control precedes each case.',
      'A second user has got a token before, which expires before the mint hangs.',
      'After two failures without a response, the others are waited for four times as long as the slowest answer took, at least a second, and stay untested where none comes.',
    ],
    fails: [
      'A 2xx response or a token; of the second user, the expired token.',
      'A token that the mint issued for the other user, also where a breaker or a cache answers without a mint call.',
      'The API key in a response: what BACK-08 finds for fewer failures.',
      'No response within limits.neverSeconds, where that is set.',
    ],
    warns: [
      "The second user's token while it is still valid.",
      'A 2xx response to a 200 without a token, since the example of clause 4.1 takes the whole body for the token.',
      'A response later than limits.backendAnswerSeconds, or none within three times as long; the seconds are measured.',
      'A status other than 502, or a body without the string "error".',
    ],
    untested: [
      'A failure that no mint call has met, as behind a cache of tokens.',
      'A late response while this machine stood still.',
    ],
  },
  mints: 25,
  needs: ['backend', 'mintDouble'],
  stage: 'straining',
  async run(parts, judge) {
    const { backend, mintDouble, available, clock, configuration } = parts
    const { backendAnswerSeconds, neverSeconds } = configuration.limits
    const promptMs = backendAnswerSeconds * 1000
    const longestMs = neverSeconds === undefined ? promptMs * measuredTimes : neverSeconds * 1000
    const waits = createFailureWaits({ promptMs, longestMs })
    // The controls are alice's, so that a cache of her tokens hides no failure.
    const bob = available('bob')
    const session = bob ?? backend.alice
    const meet = createMeet(backend, clock, { promptMs, longestMs, waits })
    using standstills = watchForStandstills()
    const replies = createReplyJudge(parts, judge, {
      standstills,
      userId: session.userId,
      apiKey: mintDouble.apiKey,
      waits,
    })
    const askWhile = async (
      failure: Failure,
      double: ScriptedMint,
      { user, deadlineMs, unmetMs }: { user: UserSession; deadlineMs: number; unmetMs: number | undefined },
    ) => {
      const asked = await askPastCache(parts, double, { session: user, deadlineMs }, unmetMs)
      judgeUserOfToken(judge, backend, double, {
        name: failure.name,
        replies: asked.replies,
        users: { own: user.userId, other: user === session ? backend.alice.userId : session.userId },
      })
      return asked
    }
    await mintDouble.scripted(async (double) => {
      // A token that a backend could fall back on. It has expired by the last of the failures, the only
      // ones that take time.
      double.lifetime(1)
      // Without one, where the mint refuses so short a lifetime.
      const last =
        bob === undefined
          ? null
          : backend.tokenOf(await backend.request({ session: bob, followRedirects: true }))
      double.lifetime(shortLifetime)
      for (const failure of promptFailures) {
        waits.note((await backend.token()).answer)
        const asked = await meet(failure, (patience) =>
          failure.fail(double, () => askWhile(failure, double, { user: session, ...patience })),
        )
        waits.note(asked.reply)
        await replies.judge(failure, asked, double)
        double.answer(null)
      }
      await backend.token()
      if (last !== null) await waitForEnd(last, clock)
      const askAs = (user: UserSession) => () =>
        askWhile(hanging, double, {
          user,
          deadlineMs: waits.deadlineMs(),
          unmetMs: backend.wait.deadlineMs(promptMs),
        })
      const met = await meetSilence(double, {
        ask: askAs(session),
        askBeside: askAs(backend.alice),
        isSameUser: bob === undefined,
        promptMs,
        waits,
      })
      await replies.judge(hanging, met.hung, double)
      await replies.judge(bodiless, met.bodiless, double)
    })
    replies.conclude()
  },
  catches: {
    'answers 200 with an error': { backend: { mintFailed: () => jsonAnswer(200, { error: 'no calling' }) } },
    'answers 200 with nothing': { backend: { mintFailed: () => jsonAnswer(200, {}) } },
    'answers 200 with null': { backend: { mintFailed: () => jsonAnswer(200, { token: null }) } },
    'answers 204': { backend: { mintFailed: () => ({ status: 204, headers: {}, body: '' }) } },
    'prints its request where the mint redirects': {
      backend: printRequest(
        (headers) => headers,
        (reply) => reply !== null && reply.status >= 300 && reply.status <= 399,
      ),
    },
    'makes a token up': {
      backend: { mintFailed: () => jsonAnswer(502, { error: 'x', token: 'eyJhbGciOiJub25lIn0.e30.' }) },
    },
    'never looks at the status': {
      backend: { readToken: ({ body }, usual) => (body.startsWith('{') ? fieldOf(body) : usual()) },
    },
    'looks at the status, but not for a token': {
      backend: {
        readToken: ({ status, body }, usual) =>
          status < 300 && body.startsWith('{') ? fieldOf(body) : usual(),
      },
      as: 'warn',
    },
    'takes any text for the token': {
      backend: { readToken: ({ status, body }, usual) => (status < 300 ? (fieldOf(body) ?? body) : usual()) },
      as: 'warn',
    },
    'takes any text but markup and JSON for the token': {
      backend: {
        readToken: ({ status, body }, usual) =>
          status === 200 && body !== '' && !/^[<{["]/.test(body) ? body : usual(),
      },
      as: 'warn',
    },
    'takes an empty body for the token': {
      backend: { readToken: ({ status, body }, usual) => (status === 200 && body === '' ? '' : usual()) },
      as: 'warn',
    },
    'quotes the mint in its error': {
      backend: {
        mintFailed: (_, { reply }) => jsonAnswer(502, { error: `the mint said ${reply?.body ?? 'nothing'}` }),
      },
      as: 'warn',
    },
    'takes a limit for a success': {
      backend: { readToken: ({ status }, usual) => (status === 429 ? 'later' : usual()) },
    },
    'answers 200 when the mint cannot be reached': {
      backend: {
        mintFailed: (usual, { reply }) => (reply === null ? jsonAnswer(200, { token: '' }) : usual),
      },
    },
    'returns what it had when the mint fails': {
      backend: {
        tokenFor: (userId, { mint, kept }) => {
          const last = kept.get('any')
          const minted = mint(userId)
          minted.then(() => kept.set('any', minted)).catch(() => undefined)
          return minted.catch((failure) => last ?? Promise.reject(failure))
        },
      },
    },
    'returns the last token of any user while its breaker is open': {
      backend: breakAfterFailure(() => 'any'),
    },
    "returns the user's last token while its breaker is open": {
      backend: breakAfterFailure((userId) => userId),
      as: 'untested',
    },
    'calls the mint for the first token of a user only': {
      backend: {
        tokenFor: (userId, { kept, mint }) => {
          const token = kept.get(userId) ?? mint(userId)
          kept.set(userId, token)
          token.catch(() => kept.delete(userId))
          return token
        },
      },
      as: 'untested',
    },
    'returns an expired token of the user when the mint hangs': {
      backend: fallBackToLast(({ cause }) => String(cause).includes('Timeout')),
    },
    "returns the user's last token while it is valid": {
      backend: fallBackToLast(
        ({ reply }, { token }) => reply !== null && isStillValid(String(token), Date.now()),
      ),
      mint: { ttl: { defaultSeconds: 900, floorSeconds: 60, ceilingSeconds: 3600 } },
      as: 'warn',
    },
    'returns a kept token of the user, and mints the next one meanwhile': {
      backend: mintAhead(),
      mint: { ttl: { defaultSeconds: 900, floorSeconds: 60, ceilingSeconds: 3600 } },
      as: 'warn',
    },
    'never answers': {
      backend: { mintDeadlineMs: Number.POSITIVE_INFINITY },
      configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 2 } },
    },
    'does not answer for as long as it is waited for': {
      backend: { mintDeadlineMs: Number.POSITIVE_INFINITY },
      configuration: { limits: { backendAnswerSeconds: 1 } },
      as: 'warn',
    },
    'takes an empty token for one': {
      backend: {
        readToken: ({ status, body }, usual) => (status === 200 && fieldOf(body) === '' ? 'none' : usual()),
      },
    },
    'takes a number for a token': {
      backend: {
        readToken: ({ status, body }, usual) =>
          status === 200 && typeof fieldOf(body) === 'number' ? String(fieldOf(body)) : usual(),
      },
      as: 'warn',
    },
    'takes a redirect for a success': {
      backend: {
        mintFailed: (usual, { reply }) =>
          reply !== null && reply.status >= 300 && reply.status < 400
            ? jsonAnswer(200, { token: '' })
            : usual,
      },
    },
    'answers late': {
      backend: { mintDeadlineMs: 2500 },
      configuration: { limits: { backendAnswerSeconds: 2 } },
      as: 'warn',
    },
    'leaves the connection open without an answer': {
      backend: {
        answer: (usual) => (usual.status === 502 ? new Promise<never>(() => {}) : usual),
      },
      configuration: { limits: { backendAnswerSeconds: 1, neverSeconds: 2 } },
    },
    'leaves every failure open, with no limit that says how long is never': {
      backend: {
        answer: (usual) => (usual.status === 502 ? new Promise<never>(() => {}) : usual),
      },
      configuration: { limits: { backendAnswerSeconds: 1 } },
      as: 'warn',
    },
    "passes the mint's status on": {
      backend: {
        mintFailed: (usual, { reply }) => ({ ...usual, status: Math.max(reply?.status ?? 502, 400) }),
      },
      as: 'warn',
    },
    'answers 429 to every failure': {
      backend: { mintFailed: (usual) => ({ ...usual, status: 429 }) },
      as: 'warn',
    },
    'answers 500': { backend: { mintFailed: (usual) => ({ ...usual, status: 500 }) }, as: 'warn' },
    'answers 401': { backend: { mintFailed: (usual) => ({ ...usual, status: 401 }) }, as: 'warn' },
    'answers in plain text': {
      backend: { mintFailed: () => ({ status: 502, headers: {}, body: 'Bad Gateway' }) },
      as: 'warn',
    },
  },
})

/** So many times `limits.backendAnswerSeconds` a response is waited for, unless `limits.neverSeconds` says how long. */
const measuredTimes = 3

/** Allows for clock skew between the issuer and this machine. */
const marginMs = 100

/** Waits until a token of a second has expired; one that lives longer, since its mint grants no less, is not waited for. */
async function waitForEnd(jwt: string, clock: Clock): Promise<void> {
  const exp = readToken(jwt)?.claims?.['exp']
  const leftMs = typeof exp === 'number' ? exp * 1000 - clock.wall() : 0
  if (leftMs > 0 && leftMs <= 1000) await clock.until(clock.monotonic() + leftMs + marginMs)
}

function fieldOf(body: string): unknown {
  try {
    return JSON.parse(body).token
  } catch {
    return undefined
  }
}
