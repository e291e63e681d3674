import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { DoubleReaction, DoubleScript, ScriptedMint } from '../../src/roles/mint/double.ts'
import { askPastCache } from './ask-past-cache.ts'
import { describeReply, isFailure } from './describe-reply.ts'
import { jsonAnswer } from './variant-answers.ts'
import { shortLifetime } from './with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-07',
  role: 'backend',
  level: 'MUST',
  clauses: ['4.2.4'],
  title: 'answers with an error when the mint gives no token',
  why: 'A failure that looks like a success puts an undefined token on the socket, and one that never ends leaves the caller waiting.',
  how: "The suite's mint double answers with each status of clause 7 and with server errors, hangs, resets, refuses connections, and answers 200 with HTML, nothing, JSON without a token or JSON that is cut off. Each time the route must answer within limits.backendAnswerSeconds with another status than 2xx and without a token; before each a logged-in user is served. Another status than 502, or a body without error, is a warning.",
  mints: 18,
  needs: ['backend', 'mintDouble'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, mintDouble, configuration, available, clock } = parts
    const deadlineMs = configuration.limits.backendAnswerSeconds * 1000
    // The controls are alice's: what the backend may keep of her tokens then hides no failure.
    const session = (available('bob') ?? backend.alice).token
    await mintDouble.alone(async (double) => {
      double.lifetime(shortLifetime)
      for (const [failure, fail] of failures) {
        await backend.token()
        const { reply, calls } = await fail(double, () =>
          askPastCache(parts, double, { session, deadlineMs }),
        )
        double.answer(null)
        const token = backend.tokenOf(reply)
        // What reaches nobody is not seen: then only a token that is still good can come from a cache.
        const isKept = token !== null && isStillGood(token, clock.wall())
        const isCalled = failure === refusal ? !isKept : calls.length > 0
        if (!isCalled) {
          judge.untested(
            token === null
              ? 'the backend failed without calling the mint, so it did not hear of every failure'
              : 'the backend answered from a cache, so it did not hear of every failure',
          )
          continue
        }
        const evidence = [reply.exchange]
        const saw = (what: string) => `${what} when the mint ${failure}`
        judge.must(isFailure(reply), {
          saw: saw(describeReply(reply)),
          expected: 'an answer in time with another status than 2xx',
          evidence,
        })
        judge.must(backend.issuedBy(reply) === null, { saw: saw('a token'), expected: 'none', evidence })
        // What is no failure at all is accused above.
        if (reply.kind === 'no-answer' || !isFailure(reply)) continue
        judge.should(reply.status === 502, { saw: saw(describeReply(reply)), expected: '502', evidence })
        judge.should(isRecord(reply.json) && typeof reply.json['error'] === 'string', {
          saw: saw('another body'),
          expected: 'a JSON object with the string error',
          evidence,
        })
      }
      await backend.token()
    })
  },
  catches: {
    'answers 200 with an error': { backend: { mintFailed: () => jsonAnswer(200, { error: 'no calling' }) } },
    'answers 200 with nothing': { backend: { mintFailed: () => jsonAnswer(200, {}) } },
    'answers 200 with null': { backend: { mintFailed: () => jsonAnswer(200, { token: null }) } },
    'answers 204': { backend: { mintFailed: () => ({ status: 204, headers: {}, body: '' }) } },
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
    },
    'takes any text for the token': {
      backend: { readToken: ({ status, body }, usual) => (status < 300 ? (fieldOf(body) ?? body) : usual()) },
    },
    'takes an empty body for the token': {
      backend: { readToken: ({ status, body }, usual) => (status === 200 && body === '' ? '' : usual()) },
    },
    'takes a limit for a success': {
      backend: { readToken: ({ status }, usual) => (status === 429 ? 'later' : usual()) },
    },
    'answers 200 when the mint cannot be reached': {
      backend: {
        mintFailed: (usual, { reply }) => (reply === null ? jsonAnswer(200, { token: '' }) : usual),
      },
    },
    'hands out what it had when the mint fails': {
      backend: {
        tokenFor: (userId, { mint, kept }) => {
          const last = kept.get('any')
          const minted = mint(userId)
          minted.then(() => kept.set('any', minted)).catch(() => undefined)
          return minted.catch((failure) => last ?? Promise.reject(failure))
        },
      },
    },
    'never answers': {
      backend: { mintDeadlineMs: Number.POSITIVE_INFINITY },
      configuration: { limits: { backendAnswerSeconds: 2 } },
    },
    'answers too late': {
      backend: { mintDeadlineMs: 2500 },
      configuration: { limits: { backendAnswerSeconds: 2 } },
    },
    'leaves the connection open without an answer': {
      backend: {
        answer: (usual) => (usual.status === 502 ? new Promise<never>(() => {}) : usual),
      },
      configuration: { limits: { backendAnswerSeconds: 1 } },
    },
    "passes the mint's status on": {
      backend: {
        mintFailed: (usual, { reply }) => ({ ...usual, status: Math.max(reply?.status ?? 502, 400) }),
      },
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

type Failing = <T>(double: ScriptedMint, run: () => Promise<T>) => Promise<T>

/** What the mint does; completes "when the mint …". */
const refusal = 'refuses connections'

const failures: readonly (readonly [name: string, fail: Failing])[] = [
  ...[401, 402, 403, 429, 500, 503].map(
    (status) => [`answers ${status}`, answering({ status, body: '{"error":{"code":"refused"}}' })] as const,
  ),
  ['answers 500 with a token', scripted(async (_, ordinary) => ({ ...(await ordinary()), status: 500 }))],
  ['hangs', answering('hang')],
  ['resets the connection', answering('reset')],
  [refusal, refusing],
  [
    'answers 200 with HTML',
    answering({ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Hello</p>' }),
  ],
  ['answers 200 with an empty body', answering({ status: 200, body: '' })],
  ['answers 200 with an empty object', answering({ status: 200, body: '{}' })],
  ['answers 200 with a token of null', answering({ status: 200, body: '{"token":null}' })],
  ['answers 200 with an error', answering({ status: 200, body: '{"error":"trial ended"}' })],
  [
    'answers 200 with JSON that is cut off',
    answering({ status: 200, body: '{"token":"eyJhbGciOiJFUzI1NiJ9.eyJz' }),
  ],
]

function scripted(script: DoubleScript): Failing {
  return (double, run) => {
    double.answer(script)
    return run()
  }
}

function answering(reaction: DoubleReaction): Failing {
  return scripted(() => reaction)
}

async function refusing<T>(double: ScriptedMint, run: () => Promise<T>): Promise<T> {
  await using _ = await double.refuseConnections()
  return await run()
}

function isStillGood(jwt: string, wallNow: number): boolean {
  const exp = readToken(jwt)?.claims?.['exp']
  return typeof exp === 'number' && exp * 1000 > wallNow
}

function fieldOf(body: string): unknown {
  try {
    return JSON.parse(body).token
  } catch {
    return undefined
  }
}
