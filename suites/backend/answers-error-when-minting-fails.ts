import { awaitedLater } from '../../src/base/awaited-later.ts'
import type { Clock } from '../../src/base/clock.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { readRateLimit } from '../../src/base/http/read-rate-limit.ts'
import { isRecord, readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { CheckContext } from '../../src/requirement/needs.ts'
import type { Backend } from '../../src/roles/backend/driver.ts'
import type { UserSession } from '../../src/roles/backend/types.ts'
import type { DoubleCall, DoubleReaction, DoubleScript, ScriptedMint } from '../../src/roles/mint/double.ts'
import { type Asked, askPastCache, explainNoCall, longestLimitSeconds } from './lib/ask-past-cache.ts'
import { isFailure, showReply } from './lib/describe-reply.ts'
import { createFailureWaits, type FailureWaitLimits, type FailureWaits } from './lib/failure-waits.ts'
import { mustHideKey } from './lib/find-in-reply.ts'
import { jsonAnswer } from './lib/variant-answers.ts'
import { fallBackToLast, mintAhead } from './lib/variant-caches.ts'
import { printRequest } from './lib/variant-leaks.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-07',
  role: 'backend',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['2.1.1', '4.2.4'],
  basis:
    'The backend answers with an error when the mint call fails (4.2.4), in which no client gets the API key (2.1.1).',
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
      'The API key in a response: what BACK-08 finds for fewer failures.',
      'No response within limits.neverSeconds, where that is set.',
    ],
    warns: [
      "The second user's token while it is still valid.",
      'A 2xx response to a 200 without a token, since the example of clause 4.1 takes the whole body for the token.',
      'A response later than limits.backendAnswerSeconds, or none within three times as long; the seconds are measured.',
      'A status other than 502, or a body without the string "error".',
    ],
    untested: ['A failure that no mint call has met, as behind a cache of tokens.'],
  },
  mints: 25,
  needs: ['backend', 'mintDouble'],
  // It shares one silence of the mint with the crowd that BACK-22 sends.
  phase: 'straining',
  async run(parts, judge) {
    const { backend, mintDouble, available, clock, configuration } = parts
    const { backendAnswerSeconds, neverSeconds } = configuration.limits
    const promptMs = backendAnswerSeconds * 1000
    // A backend that also hangs while its mint answers shows nothing new in a longer wait.
    const measuredMs = backend.wait.isOftenSilent() ? promptMs : promptMs * measuredTimes
    const longestMs = neverSeconds === undefined ? measuredMs : neverSeconds * 1000
    const waits = createFailureWaits({ promptMs, longestMs })
    // The controls are alice's, so that a cache of her tokens hides no failure.
    const bob = available('bob')
    const session = bob ?? backend.alice
    const meet = createMeet(backend, clock, { promptMs, longestMs, waits })
    const replies = createReplyJudge(parts, judge, {
      userId: session.userId,
      apiKey: mintDouble.apiKey,
      waits,
    })
    await mintDouble.runSilent({
      async before(double) {
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
          const asked = await meet(failure, ({ deadlineMs, unmetMs }) =>
            failure.fail(double, () => askPastCache(parts, double, { session, deadlineMs }, unmetMs)),
          )
          waits.note(asked.reply)
          await replies.judge(failure, asked, double)
          double.answer(null)
        }
        await backend.token()
        if (last !== null) await waitForEnd(last, clock)
      },
      async during(double, letOthersAsk) {
        const askAs = (user: UserSession) => () =>
          askPastCache(
            parts,
            double,
            { session: user, deadlineMs: waits.deadlineMs() },
            backend.wait.deadlineMs(promptMs),
          )
        const met = await meetSilence(double, {
          ask: askAs(session),
          askBeside: askAs(backend.alice),
          isSameUser: bob === undefined,
          isPrompt: ({ reply }) => isPrompt(reply, promptMs),
          letOthersAsk,
          waits,
        })
        await replies.judge(hanging, met.hung, double)
        await replies.judge(bodiless, met.bodiless, double)
      },
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

interface ReplyJudgeOptions {
  /** Whose token is asked for. */
  readonly userId: string
  /** The key that no response may hold. */
  readonly apiKey: string
  readonly waits: FailureWaits
}

/** Judges what the app gets from a backend whose mint call has failed. */
function createReplyJudge(
  { backend, configuration, clock }: CheckContext<'backend'>,
  judge: Judge,
  { userId, apiKey, waits }: ReplyJudgeOptions,
) {
  const { backendAnswerSeconds, neverSeconds } = configuration.limits
  const promptMs = backendAnswerSeconds * 1000
  const neverMs = neverSeconds === undefined ? Number.POSITIVE_INFINITY : neverSeconds * 1000
  const leftOut: string[] = []
  let hasTokenWithoutCall = false
  return {
    async judge({ name, tokenless }: Failure, { reply, calls }: Asked, double: ScriptedMint): Promise<void> {
      mustHideKey(judge, reply, { apiKey, when: `when the mint ${name}`, clause: '2.1.1' })
      const waiting = await callsStillOpen({ reply, calls }, clock)
      const token = backend.tokenOf(reply)
      // A refused connection leaves no call: a token that has ended comes from a cache where others did without a call.
      const isKept = token !== null && (hasTokenWithoutCall || isStillValid(token, sentAtOf(reply, clock)))
      hasTokenWithoutCall ||= name !== refusal && token !== null && calls.length === 0
      const isCalled = name === refusal ? !isKept : calls.length > 0
      if (!isCalled)
        return judge.untested(`${explainNoCall(backend, reply)}, so it did not meet every mint failure`)
      // Calls that the double still sees do not depend on the way between the suite and the backend.
      const evidence = waiting.length === 0 ? [reply.exchange] : waiting.map(({ exchange }) => exchange)
      const seen = (what: string) => ({ case: name, saw: `${what} when the mint ${name}` })
      if (isSilent(reply) && reply.receivedAt - reply.sentAt < promptMs - noticedMs / 2) {
        leftOut.push(name)
        return
      }
      // Clause 5.5 asks for a new token "when possible": the user's own one is accepted while it is valid.
      // A backend that mints in the background may have got it after the first request.
      const isKeptOfUser = double
        .calls()
        .some((call) => call.issued === token && call.userId === userId && !calls.includes(call))
      const isOwn = token !== null && isKeptOfUser && isStillValid(token, sentAtOf(reply, clock))
      if (isOwn) {
        judge.should(false, {
          ...seen('an earlier token of the user, which has not expired'),
          expected: 'a non-2xx response (4.2.4)',
          fix: 'Answer 502 with { "error": "…" } when the mint call fails.',
          evidence,
        })
        return
      }
      // A gateway or a system may answer for a backend after a minute, and the example of clause 4.1 takes any body for a token.
      const tookMs = reply.receivedAt - reply.sentAt
      const isMeasuredOnly = isSilent(reply) && tookMs < neverMs - noticedMs / 2
      judge[isMeasuredOnly || tokenless !== undefined ? 'should' : 'must'](isFailure(reply), {
        ...seen(showReply(reply)),
        expected: 'a non-2xx response (4.2.4)',
        fix: 'Answer 502 with { "error": "…" } when the mint call fails.',
        evidence,
      })
      const returned = backend.issuedBy(reply)
      const isPassedOn = returned !== null && tokenless?.includes(returned) === true
      // An error is what clause 4.2.4 asks for: a text that quotes the mint is one, with too much in it.
      const isQuoted = returned !== null && isFailure(reply) && !isValueOf(returned, reply)
      judge[isQuoted ? 'advisory' : 'must'](returned === null || isPassedOn, {
        ...seen(isQuoted ? 'a calling token in the text of the error' : 'a calling token'),
        expected: 'a response without a token (4.2.4)',
        fix: 'Return a token only where the mint call succeeded, never one that is kept or read from an error.',
        evidence,
        isShown: true,
      })
      // No deadline is specified.
      judge.should(reply.kind === 'no-answer' || tookMs <= promptMs, {
        ...seen(`a response after ${Math.round(tookMs / 1000)} s`),
        expected: `a response within ${backendAnswerSeconds} s`,
        fix: 'Bound the mint call by a deadline that an app can wait for.',
        evidence,
      })
      // A response that is no failure is accused above.
      if (reply.kind === 'no-answer' || !isFailure(reply)) return
      judge.should(reply.status === 502, {
        ...seen(showReply(reply)),
        expected: 'status 502 (7.2)',
        fix: 'Answer 502 whatever the mint answered; do not forward its status.',
        evidence,
      })
      judge.should(isRecord(reply.json) && typeof reply.json['error'] === 'string', {
        ...seen('a body without the string "error"'),
        expected: '{ "error": "…" } (7.2)',
        fix: 'Answer with a JSON body of your own: { "error": "…" }.',
        evidence,
      })
    },
    /** Names the cases that were not waited for. */
    conclude() {
      if (leftOut.length > 0)
        judge.untested(
          `two failures of the mint were left without a response, so that no longer than ${seconds(waits.deadlineMs())} was waited when it ${leftOut.join(', ')}`,
        )
    },
  }
}

/** How long one request may take. */
interface Patience {
  readonly deadlineMs: number
  /** Given up by then where it has caused no mint call. */
  readonly unmetMs: number | undefined
}

/**
 * One request while the mint fails. A node of the backend that hangs is met once more: no mint call came of it. So is a limit on
 * the app's requests that answers after the mint call, unless the backend answers failures so.
 */
function createMeet(
  { wait }: Pick<Backend, 'wait'>,
  clock: Clock,
  { promptMs, longestMs, waits }: FailureWaitLimits & { readonly waits: FailureWaits },
) {
  let limitedAgain = 0
  return async ({ name }: Failure, askFor: (patience: Patience) => Promise<Asked>): Promise<Asked> => {
    // A mint that refuses connections gets no call.
    const unmetMs = () => (name === refusal ? undefined : wait.deadlineMs(promptMs))
    const ask = () => askFor({ deadlineMs: waits.deadlineMs(), unmetMs: unmetMs() })
    const startedAt = clock.monotonic()
    const first = await ask()
    if (name !== refusal && first.calls.length === 0 && isSilent(first.reply)) {
      wait.note({ startedAt, endedAt: clock.monotonic(), isSilent: true })
      // A busy machine may not have got to the mint call in the time that short waits leave.
      return await (wait.isOftenSilent() ? ask() : askFor({ deadlineMs: longestMs, unmetMs: undefined }))
    }
    const limit = readRateLimit(first.reply)
    if (limit === null || limit.seconds > longestLimitSeconds || limitedAgain >= mostLimitedAgain)
      return first
    await clock.until(clock.monotonic() + limit.seconds * 1000)
    const second = await ask()
    if (readRateLimit(second.reply) !== null) limitedAgain += 1
    return second
  }
}

function isSilent(reply: Reply): boolean {
  return reply.kind === 'no-answer' && reply.failure === 'timeout'
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}

/** Says whether a body is this text, or has it as the whole value of a member. */
function isValueOf(text: string, reply: Reply): boolean {
  if (reply.kind === 'no-answer') return false
  const values = [reply.body.trim(), ...(isRecord(reply.json) ? Object.values(reply.json) : [])]
  return values.includes(text) || values.includes(`Bearer ${text}`)
}

type Failing = <T>(double: ScriptedMint, run: () => Promise<T>) => Promise<T>

/** Allows for clock skew between the issuer and this machine. */
const marginMs = 100

/** Within this time the double sees that a call was given up. */
const noticedMs = 1000

/** So many times `limits.backendAnswerSeconds` a response is waited for, unless `limits.neverSeconds` says how long. */
const measuredTimes = 3

/** Two failures that are answered as by a limit, again after the wait for which it asks, show that all are. */
const mostLimitedAgain = 2

/** Completes "when the mint …", as the other names of failures do. */
const refusal = 'refuses connections'

interface Failure {
  /** Completes "when the mint …". */
  readonly name: string
  readonly fail: Failing
  /** The body of a success that has no token. */
  readonly tokenless?: string
}

const hanging: Failure = { name: 'hangs', fail: answering('hang') }
const bodiless: Failure = { name: 'sends headers without a body', fail: answering('headers only') }

const promptFailures: readonly Failure[] = [
  ...[401, 402, 403, 429, 500, 503].map((status) => ({
    name: `answers ${status}`,
    fail: answering({ status, body: '{"error":{"code":"refused"}}' }),
  })),
  {
    name: 'answers 500 with a token',
    fail: scripted(async (_, ordinary) => ({ ...(await ordinary()), status: 500 })),
  },
  { name: 'resets the connection', fail: answering('reset') },
  { name: refusal, fail: refusing },
  tokenlessSuccess('HTML', '<p>Hello</p>', 'text/html'),
  // With spaces: a single word could be a token that is no JWT.
  tokenlessSuccess('plain text', 'Calling is not available at the moment', 'text/plain'),
  tokenlessSuccess('an empty body', ''),
  tokenlessSuccess('an empty object', '{}'),
  tokenlessSuccess('a null token', '{"token":null}'),
  tokenlessSuccess('an error', '{"error":"trial ended"}'),
  tokenlessSuccess('an empty token', '{"token":""}'),
  tokenlessSuccess('a number as the token', '{"token":12345}'),
  { name: 'answers 302 without a Location', fail: answering({ status: 302, body: '' }) },
  {
    name: 'answers 302 to a page',
    fail: answering({ status: 302, headers: { location: '/console/login' }, body: '<p>Sign in</p>' }),
  },
  tokenlessSuccess('truncated JSON', '{"token":"eyJhbGciOiJFUzI1NiJ9.eyJz'),
]

function tokenlessSuccess(what: string, body: string, contentType = 'application/json'): Failure {
  return {
    name: `answers 200 with ${what}`,
    fail: answering({ status: 200, headers: { 'content-type': contentType }, body }),
    tokenless: body,
  }
}

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

interface SilentRequests {
  ask(): Promise<Asked>
  askBeside(): Promise<Asked>
  /** Both ask for one user, since there is no other. */
  readonly isSameUser: boolean
  /**
   * Says whether an answer is prompt. A later one, to one of two parallel requests, is tried again alone before
   * it is judged.
   */
  isPrompt(asked: Asked): boolean
  letOthersAsk(): void
  readonly waits: FailureWaits
}

/**
 * A mint that hangs, and meanwhile, for another request, one that sends headers without a body: backends wait as long for
 * either, so that both take one wait. Others may ask once a backend has shown that it serves two requests at a time: in
 * one that does not, they would wait behind each other.
 */
async function meetSilence(
  double: ScriptedMint,
  { ask, askBeside, isSameUser, isPrompt, letOthersAsk, waits }: SilentRequests,
): Promise<{ readonly hung: Asked; readonly bodiless: Asked }> {
  const start = double.calls().length
  const called = Promise.withResolvers<void>()
  double.answer(() => {
    called.resolve()
    return 'hang'
  })
  const hanging = awaitedLater(ask())
  await Promise.race([called.promise, hanging])
  const before = double.calls().slice(start)
  const isOfUser = ({ userId }: DoubleCall) => userId === before[0]?.userId
  const isFirst = (call: DoubleCall) => before.includes(call) || (!isSameUser && isOfUser(call))
  const callsBeside = () =>
    double
      .calls()
      .slice(start)
      .filter((call) => !isFirst(call))
  const calledBeside = Promise.withResolvers<void>()
  double.answer((call) => {
    if (!isFirst(call)) calledBeside.resolve()
    return isFirst(call) ? 'hang' : 'headers only'
  })
  const besides = awaitedLater(askBeside())
  const isAtOnce = await Promise.race([calledBeside.promise.then(() => true), hanging.then(() => false)])
  let calls = callsBeside()
  if (isAtOnce) {
    double.answer(() => 'hang')
    letOthersAsk()
  }
  const [hung, beside] = await Promise.all([hanging, besides])
  waits.note(hung.reply)
  if (!isAtOnce) calls = callsBeside()
  // A cache, a queue of single requests or a limit on the user may keep this request from the mint.
  const isJudged = calls.length > 0 && readRateLimit(beside.reply) === null
  const isMet = isJudged && (isPrompt(beside) || (isAtOnce && isSilent(beside.reply)))
  const alone = async (): Promise<Asked> => {
    const asked = await bodiless.fail(double, ask)
    return { reply: asked.reply, calls: asked.calls.filter(isOfUser) }
  }
  return {
    hung: { reply: hung.reply, calls: hung.calls.filter(isFirst) },
    bodiless: isMet ? { reply: beside.reply, calls } : await alone(),
  }
}

/** The calls on which a backend that has not answered in time still waits for the mint. */
async function callsStillOpen({ reply, calls }: Asked, clock: Clock): Promise<readonly DoubleCall[]> {
  if (reply.kind !== 'no-answer' || reply.failure !== 'timeout') return []
  // On a busy machine the end of a call may be seen later than the end of the wait.
  await clock.until(clock.monotonic() + noticedMs)
  return calls.filter(({ isWaiting, userId }) => isWaiting && userId === calls[0]?.userId)
}

function isPrompt(reply: Reply, promptMs: number): boolean {
  return isFailure(reply) && reply.kind === 'answer' && reply.receivedAt - reply.sentAt <= promptMs
}

function isStillValid(jwt: string, wallNow: number): boolean {
  const exp = readToken(jwt)?.claims?.['exp']
  return typeof exp === 'number' && exp * 1000 > wallNow
}

/** Milliseconds since 1970. */
function sentAtOf({ sentAt }: Reply, clock: Pick<Clock, 'wall' | 'monotonic'>): number {
  return clock.wall() - (clock.monotonic() - sentAt)
}

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
