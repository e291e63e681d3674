import type { Reply } from '../../src/base/http/client.ts'
import { watchForStandstills } from '../../src/base/standstill.ts'
import { isRecord } from '../../src/base/tokens/decode.ts'
import { isStillValid } from '../../src/base/tokens/token-lifetime.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { millisecondsLeft } from '../lib/token-end.ts'
import { askPastCache, explainNoCall } from './lib/ask-past-cache.ts'
import { hasDetail, hasErrorText, isFailure, isSilent, showReply } from './lib/describe-reply.ts'
import { hasExampleToken } from './lib/example-token.ts'
import { expectedFailure, judgeTime, noticedMs, tookMs } from './lib/judge-time.ts'
import { type Failure, failures } from './lib/minting-failures.ts'
import { mustHideKey } from './lib/must-hide-key.ts'
import { shortLifetime } from './lib/with-short-lived-tokens.ts'

/** So many times `limits.backendAnswerSeconds` a response is waited for, unless `limits.neverSeconds` says how long. */
const measuredTimes = 3
/** After two silences, a response is waited for by what the slowest answer took. */
const [shortestMs, timesSlowest] = [1_000, 4]
/** Allows for clock skew between the issuer and this machine. */
const marginMs = 100

export default defineCheck({
  id: 'BACK-07',
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
      'A 2xx response to a 200 without a token that has for its token what the example of clause 4.1 takes: the field of the mint, else the whole body.',
      'A response later than limits.backendAnswerSeconds, or none within three times as long; the seconds are measured.',
      'A status other than 502, or a body without the string "error".',
    ],
    untested: [
      'A failure that no mint call has met, as behind a cache of tokens.',
      'A late response while this machine stood still.',
    ],
  },
  mints: 30,
  needs: ['backend', 'mintDouble'],
  stage: 'straining',
  async run(parts, judge) {
    const { backend, mintDouble, available, clock, configuration } = parts
    const { backendAnswerSeconds, neverSeconds } = configuration.limits
    const promptMs = backendAnswerSeconds * 1000
    const longestMs = neverSeconds === undefined ? promptMs * measuredTimes : neverSeconds * 1000
    const { apiKey } = mintDouble
    // The controls are alice's, so that a cache of her tokens hides no failure.
    const user = available('bob') ?? backend.alice
    using standstills = watchForStandstills()
    let silences = 0
    let slowestMs = 0
    let hasTokenWithoutCall = false
    const deadlineMs = () => {
      if (silences < 2) return silences === 0 ? longestMs : promptMs
      return Math.min(promptMs, Math.max(shortestMs, timesSlowest * slowestMs))
    }
    await mintDouble.scripted(async (double) => {
      // A token that a backend could fall back on, which ends before the mint fails.
      double.lifetime(1)
      const last =
        user === backend.alice ? null : await backend.request({ session: user, followRedirects: true })
      const leftMs = last === null ? 0 : millisecondsLeft(backend.tokenOf(last) ?? '', clock)
      // One that lives longer, since its mint grants no less, is not waited for.
      if (leftMs > 0 && leftMs <= 1000) await clock.until(clock.monotonic() + leftMs + marginMs)
      double.lifetime(shortLifetime)
      const askDuring = async ({ name, script }: Failure) => {
        double.answer(script)
        await using _ = script === null ? await double.refuseConnections() : null
        const change = {
          session: user,
          deadlineMs: deadlineMs(),
          case: `an ordinary request while the mint ${name}`,
        }
        return await askPastCache(parts, double, change)
      }
      await attack(judge, {
        control: () => backend.token(),
        cases: failures,
        together: false,
        of: 'when the mint',
        async send(failure) {
          const { name, script, tokenless } = failure
          slowestMs = Math.max(slowestMs, tookMs((await backend.token()).answer))
          const { reply, calls, replies } = await askDuring(failure)
          double.answer(null)
          if (reply.kind === 'answer') slowestMs = Math.max(slowestMs, tookMs(reply))
          if (isSilent(reply)) silences += 1
          mustHideKey(judge, reply, { apiKey, when: `when the mint ${name}`, clause: '2.1.1' })
          const issuedFor = (token: string | null) =>
            double.calls().filter(({ issued }) => issued !== null && issued === token)
          const foreign = replies.filter((one) => {
            const users = issuedFor(backend.tokenOf(one)).map(({ userId }) => userId)
            return users.includes(backend.alice.userId) && !users.includes(user.userId)
          })
          judge.must(foreign.length === 0, {
            case: name,
            saw: `a calling token that the mint issued for another user when the mint ${name}`,
            expected: 'no token of another user (2.1.4)',
            fix: 'Answer 502 when the mint fails or is not called; keep tokens by user, if at all.',
            evidence: foreign.map(({ exchange }) => exchange),
            isShown: true,
          })
          // On a busy machine the end of a call may be seen later than the end of the wait.
          if (isSilent(reply)) await clock.until(clock.monotonic() + noticedMs)
          // Calls that the double still sees do not depend on the way between the suite and the backend.
          const waiting = isSilent(reply) ? calls.filter(({ isWaiting }) => isWaiting) : []
          const evidence = (waiting.length > 0 ? waiting : [reply]).map(({ exchange }) => exchange)
          const token = backend.tokenOf(reply)
          const sentAt = clock.wall() - (clock.monotonic() - reply.sentAt)
          const isLive = token !== null && isStillValid(token, sentAt)
          // A refused connection leaves no call: a token that has ended comes from a cache where others did without a call.
          const isKept = token !== null && (hasTokenWithoutCall || isLive)
          hasTokenWithoutCall ||= script !== null && token !== null && calls.length === 0
          const isCalled = script === null ? !isKept : calls.length > 0
          const isLeftOut = isSilent(reply) && tookMs(reply) < promptMs - noticedMs / 2
          const unseen = !isCalled
            ? explainNoCall(backend, reply)
            : isLeftOut
              ? 'no response was waited for any longer, since two failures had met none,'
              : null
          const lostMs = standstills.lostIn(reply.sentAt, reply.receivedAt)
          if (unseen === null) judgeTime(judge, { name, reply, evidence, promptMs, neverSeconds, lostMs })
          // Clause 5.5 asks for a new token "when possible". One that is minted in the background may have come after the first request.
          const isOwn =
            isLive && issuedFor(token).some((call) => call.userId === user.userId && !calls.includes(call))
          const returned = backend.issuedBy(reply)
          const hasToken = returned !== null && tokenless?.includes(returned) !== true && !isOwn
          // An error is what clause 4.2.4 asks for: a text that quotes the mint is one, with too much in it.
          const isQuoted = returned !== null && isFailure(reply) && !isValueOf(returned, reply)
          return {
            reply,
            isOwn,
            /** Neither an error, nor silence, nor an earlier token of the user. */
            isNoError: !isFailure(reply) && !isSilent(reply) && !isOwn,
            /** The backend answered as the example of clause 4.1 does for a success without a token. */
            isOfExample:
              tokenless !== undefined && hasExampleToken(reply, tokenless, configuration.backend?.tokenField),
            hasToken: hasToken && !isQuoted,
            hasQuotedToken: hasToken && isQuoted,
            isUndecided: script !== null && isSilent(reply) && calls.length === 0,
            unseen,
            evidence,
          }
        },
        breaches: [
          {
            level: 'should',
            saw: ({ isOwn }) => (isOwn ? 'an earlier token of the user, which has not expired' : null),
            expected: expectedFailure,
            fix,
          },
          {
            level: 'must',
            saw: ({ isNoError, isOfExample, reply }) => (isNoError && !isOfExample ? showReply(reply) : null),
            expected: expectedFailure,
            fix,
          },
          {
            level: 'should',
            saw: ({ isNoError, isOfExample, reply }) => (isNoError && isOfExample ? showReply(reply) : null),
            expected: expectedFailure,
            fix,
          },
          { level: 'must', saw: ({ hasToken }) => (hasToken ? 'a calling token' : null), ...withoutToken },
          {
            level: 'advisory',
            saw: ({ hasQuotedToken }) => (hasQuotedToken ? 'a calling token in the text of the error' : null),
            ...withoutToken,
          },
          {
            level: 'should',
            saw: ({ isOwn, reply }) =>
              isFailure(reply) && reply.kind === 'answer' && reply.status !== 502 && !isOwn
                ? showReply(reply)
                : null,
            expected: 'status 502 (7.2)',
            fix: 'Answer 502 when the mint call fails, whatever the mint answered.',
          },
          {
            level: 'should',
            // A framework's `detail` is reported once, by BACK-02.
            saw: ({ reply }) =>
              isFailure(reply) && !hasErrorText(reply) && !hasDetail(reply)
                ? 'a body without the string "error"'
                : null,
            expected: '{ "error": "…" } (7.2)',
            fix: 'Answer with a JSON body of your own: { "error": "…" }.',
          },
        ],
      })
    })
  },
})

const fix =
  'Answer 502 with { "error": "…" } when the mint call fails, whatever goes wrong with it, its body included.'
const withoutToken = {
  expected: 'a response without a token (4.2.4)',
  fix: 'Return a token only where the mint call succeeded, never one that is kept or read from an error.',
  isShown: true,
} as const

/** Says whether a body is this text, or has it as the whole value of a member. */
function isValueOf(text: string, reply: Reply): boolean {
  if (reply.kind === 'no-answer') return false
  const values = [reply.body.trim(), ...(isRecord(reply.json) ? Object.values(reply.json) : [])]
  return values.includes(text) || values.includes(`Bearer ${text}`)
}
