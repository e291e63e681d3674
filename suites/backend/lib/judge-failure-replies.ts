import type { Clock } from '../../../src/base/clock.ts'
import type { Reply } from '../../../src/base/http/client.ts'
import type { StandstillMeter } from '../../../src/base/standstill.ts'
import { isRecord } from '../../../src/base/tokens/decode.ts'
import { isStillValid } from '../../../src/base/tokens/token-lifetime.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { DoubleCall, ScriptedMint } from '../../../src/roles/mint/double.ts'
import { type Asked, explainNoCall } from './ask-past-cache.ts'
import { hasDetail, hasErrorText, isFailure, isSilent, showReply } from './describe-reply.ts'
import { hasExampleToken } from './example-token.ts'
import type { FailureWaits } from './failure-waits.ts'
import { type Failure, refusal } from './minting-failures.ts'
import { mustHideKey } from './must-hide-key.ts'

/** The requirement whose code bounds a mint call. */
const boundsMintCalls = 'BACK-22'

/** Within this time the double sees that a call was given up. */
const noticedMs = 1000

interface ReplyJudgeOptions {
  /** Whose token is asked for. */
  readonly userId: string
  /** The key that no response may hold. */
  readonly apiKey: string
  readonly waits: FailureWaits
  readonly standstills: Pick<StandstillMeter, 'lostIn'>
}

/** Judges what the app gets from a backend whose mint call has failed. */
export function createReplyJudge(
  { backend, configuration, clock }: CheckContext<'backend'>,
  judge: Judge,
  { userId, apiKey, waits, standstills }: ReplyJudgeOptions,
) {
  const { backendAnswerSeconds, neverSeconds } = configuration.limits
  const tokenField = configuration.backend?.tokenField
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
      const tookMs = reply.receivedAt - reply.sentAt
      // A gateway or a system may answer for a backend after a minute.
      const isMeasuredOnly = isSilent(reply) && tookMs < neverMs - noticedMs / 2
      const isOfExample = tokenless !== undefined && hasExampleToken(reply, tokenless, tokenField)
      judge[isMeasuredOnly || isOfExample ? 'should' : 'must'](isFailure(reply), {
        ...seen(showReply(reply)),
        expected: 'a non-2xx response (4.2.4)',
        fix: adviseOn(reply),
        fixedAs: isSilent(reply) ? boundsMintCalls : undefined,
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
      // No deadline is specified, and a machine that stands still delays every answer: it hides a late one, too.
      const lostMs = standstills.lostIn(reply.sentAt, reply.receivedAt)
      const isLate = reply.kind === 'answer' && tookMs > promptMs
      if (isLate && tookMs - lostMs <= promptMs)
        judge.missed(
          `this machine stood still for ${seconds(lostMs)} of the ${seconds(tookMs)} until a response came when the mint ${name}`,
        )
      else
        judge.should(!isLate, {
          ...seen(`a response after ${(tookMs / 1000).toFixed(1)} s`),
          expected: `a response within ${backendAnswerSeconds} s`,
          fix: 'Bound the mint call by a deadline that an app can wait for.',
          fixedAs: boundsMintCalls,
          evidence,
        })
      // A response that is no failure is accused above.
      if (reply.kind === 'no-answer' || !isFailure(reply)) return
      judge.should(reply.status === 502, {
        ...seen(showReply(reply)),
        expected: 'status 502 (7.2)',
        fix: name.includes(String(reply.status))
          ? 'Answer 502 whatever the mint answered; do not forward its status.'
          : 'Answer 502 when the mint call fails.',
        evidence,
      })
      // A framework's `detail` is reported once, by BACK-02.
      judge.should(hasErrorText(reply) || hasDetail(reply), {
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

function adviseOn(reply: Reply): string {
  if (isSilent(reply))
    return 'End the mint call by a deadline of a few seconds, which covers its body too, and answer 502 with { "error": "…" } then.'
  return reply.kind === 'no-answer'
    ? 'Catch whatever goes wrong with the mint call, its body included, and answer 502 with { "error": "…" }.'
    : 'Answer 502 with { "error": "…" } when the mint call fails.'
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

/** The calls on which a backend that has not answered in time still waits for the mint. */
async function callsStillOpen(
  { reply, calls }: Pick<Asked, 'reply' | 'calls'>,
  clock: Clock,
): Promise<readonly DoubleCall[]> {
  if (!isSilent(reply)) return []
  // On a busy machine the end of a call may be seen later than the end of the wait.
  await clock.until(clock.monotonic() + noticedMs)
  return calls.filter(({ isWaiting, userId }) => isWaiting && userId === calls[0]?.userId)
}

/** Milliseconds since 1970. */
function sentAtOf({ sentAt }: Reply, clock: Pick<Clock, 'wall' | 'monotonic'>): number {
  return clock.wall() - (clock.monotonic() - sentAt)
}
