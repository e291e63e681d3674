import { awaitedLater } from '../../../src/base/awaited-later.ts'
import type { Clock } from '../../../src/base/clock.ts'
import type { Reply } from '../../../src/base/http/client.ts'
import { readRateLimit } from '../../../src/base/http/read-rate-limit.ts'
import type { DoubleCall, ScriptedMint } from '../../../src/roles/mint/double.ts'
import { type Asked, longestLimitSeconds } from './ask-past-cache.ts'
import { isFailure, isSilent } from './describe-reply.ts'
import type { FailureWaitLimits, FailureWaits } from './failure-waits.ts'
import { bodiless, type Failure, refusal } from './minting-failures.ts'

/** Two failures that are answered as by a limit, again after the wait for which it asks, show that all are. */
const mostLimitedAgain = 2

/** How long one request may take. */
interface Patience {
  readonly deadlineMs: number
  /** Given up by then where it has caused no mint call. */
  readonly unmetMs: number | undefined
}

/**
 * One request while the mint fails. One that is left without an answer, and of which no mint call came, is asked once more. So is a
 * limit on the app's requests that answers after the mint call, unless the backend answers failures so.
 */
export function createMeet(
  clock: Clock,
  { promptMs, longestMs, waits }: FailureWaitLimits & { readonly waits: FailureWaits },
) {
  let limitedAgain = 0
  return async ({ name }: Failure, askFor: (patience: Patience) => Promise<Asked>): Promise<Asked> => {
    // A mint that refuses connections gets no call.
    const isRefused = name === refusal
    const unmetMs = isRefused ? undefined : promptMs
    const ask = () => askFor({ deadlineMs: waits.deadlineMs(), unmetMs })
    const first = await ask()
    // A busy machine may not have got to the mint call in the time that short waits leave.
    if (first.calls.length === 0 && isSilent(first.reply) && !isRefused)
      return await askFor({ deadlineMs: longestMs, unmetMs: promptMs })
    const limit = readRateLimit(first.reply)
    if (limit === null || limit.seconds > longestLimitSeconds || limitedAgain >= mostLimitedAgain)
      return first
    await clock.until(clock.monotonic() + limit.seconds * 1000)
    const second = await ask()
    if (readRateLimit(second.reply) !== null) limitedAgain += 1
    return second
  }
}

interface SilentRequests {
  ask(): Promise<Asked>
  askBeside(): Promise<Asked>
  /** Both ask for one user, since there is no other. */
  readonly isSameUser: boolean
  /** A later answer, to one of two parallel requests, is tried again alone before it is judged. */
  readonly promptMs: number
  readonly waits: FailureWaits
}

/**
 * A mint that hangs, and meanwhile, for another request, one that sends headers without a body: backends wait as long for
 * either, so that both take one wait.
 */
export async function meetSilence(
  double: ScriptedMint,
  { ask, askBeside, isSameUser, promptMs, waits }: SilentRequests,
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
  if (isAtOnce) double.answer(() => 'hang')
  const [hung, beside] = await Promise.all([hanging, besides])
  waits.note(hung.reply)
  if (!isAtOnce) calls = callsBeside()
  // A cache, a queue of single requests or a limit on the user may keep this request from the mint.
  const isJudged = calls.length > 0 && readRateLimit(beside.reply) === null
  const isMet = isJudged && (isPrompt(beside.reply, promptMs) || (isAtOnce && isSilent(beside.reply)))
  const alone = async (): Promise<Asked> => {
    const asked = await bodiless.fail(double, ask)
    return { ...asked, calls: asked.calls.filter(isOfUser) }
  }
  return {
    hung: { ...hung, calls: hung.calls.filter(isFirst) },
    bodiless: isMet ? { ...beside, calls } : await alone(),
  }
}

function isPrompt(reply: Reply, promptMs: number): boolean {
  return isFailure(reply) && reply.kind === 'answer' && reply.receivedAt - reply.sentAt <= promptMs
}
