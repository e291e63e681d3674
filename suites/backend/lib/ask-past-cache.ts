import type { Reply } from '../../../src/base/http/client.ts'
import { readRateLimit } from '../../../src/base/http/read-rate-limit.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { UserSession } from '../../../src/roles/backend/configuration.ts'
import type { Backend, BackendRequest } from '../../../src/roles/backend/driver.ts'
import type { DoubleCall, DoubleScript, ScriptedMint } from '../../../src/roles/mint/double.ts'
import { millisecondsLeft } from '../../lib/token-end.ts'
import { describeReply } from './describe-reply.ts'

/** Milliseconds that a turn may wait for the expiry of a cached token. */
const longestWait = 5_000
/** A limit on the rate of the app's requests asks to wait so long; one that lasts is the answer. */
const longestLimitSeconds = 5
const mostLimited = 4
const momentMs = 3_000
/** Backends that answered from their cache after a moment, too. */
const keepsLong = new WeakSet<Backend>()
/** Allows for clock skew between the issuer and this machine. */
const marginMs = 300

type Parts = Pick<CheckContext<'backend'>, 'backend' | 'clock'>

export const answeredFromCache = 'the backend answered from a cache, so the mint double got no call'

export function explainNoCall({ tokenOf }: Pick<Backend, 'tokenOf'>, reply: Reply): string {
  if (tokenOf(reply) !== null) return answeredFromCache
  const isLimited = reply.kind === 'answer' && reply.status === 429
  const hint = isLimited ? ': set limits.pace.backend to what its rate limit allows' : ''
  return `the backend ${describeReply(reply)} without calling the mint${hint}`
}

interface Asked {
  readonly reply: Reply
  /** The calls that reached the double meanwhile; empty where the backend answered without a mint call. */
  readonly calls: readonly DoubleCall[]
  /** All responses, of which `reply` is the last: the others came from a cache or a limit. */
  readonly replies: readonly Reply[]
}

/**
 * One request of the app; where a cached token answers it, another request after the expiry of that token. A limit on the rate of
 * the app's requests is waited out.
 */
export async function askPastCache(
  { backend, clock }: Parts,
  double: ScriptedMint,
  change: BackendRequest = {},
): Promise<Asked> {
  const replies: Reply[] = []
  const ask = async (): Promise<Asked> => {
    const before = double.calls().length
    const reply = await backend.request({ followRedirects: true, ...change })
    replies.push(reply)
    return { reply, calls: double.calls().slice(before), replies }
  }
  const askWithinLimit = async (): Promise<Asked> => {
    let called: Asked | undefined
    for (let limited = 0; ; limited += 1) {
      const asked = await ask()
      // A circuit breaker that has opened since tells less than the answer behind the call.
      if (called !== undefined && asked.calls.length === 0) return called
      if (asked.calls.length > 0) called = asked
      const limit = readRateLimit(asked.reply)
      // Behind a mint call it may be the backend's answer to a failure: one that comes again is.
      const most = asked.calls.length === 0 ? mostLimited : 1
      if (limit === null || limit.seconds > longestLimitSeconds || limited >= most) return asked
      await clock.until(clock.monotonic() + limit.seconds * 1000)
    }
  }
  let asked = await askWithinLimit()
  const isFromCache = () => asked.calls.length === 0 && backend.tokenOf(asked.reply) !== null
  if (!isFromCache()) return asked
  const leftMs = millisecondsLeft(backend.tokenOf(asked.reply) ?? '', clock)
  if (leftMs >= 0 && leftMs <= longestWait) {
    await clock.until(clock.monotonic() + leftMs + marginMs)
    asked = await askWithinLimit()
  }
  if (!isFromCache() || keepsLong.has(backend)) return asked
  // Some keep a token for a moment, against double clicks; it may end sooner.
  await clock.until(clock.monotonic() + momentMs)
  asked = await askWithinLimit()
  if (isFromCache()) keepsLong.add(backend)
  return asked
}

/** `askPastCache` while the mint reacts so, which an open circuit breaker may keep from being called. */
export function askWhile(
  parts: Parts,
  double: ScriptedMint,
  script: DoubleScript,
  change?: BackendRequest,
): Promise<Asked> {
  return askWhenClosed(parts, () => {
    double.answer(script)
    return askPastCache(parts, double, change).finally(() => double.answer(null))
  })
}

/**
 * Asks again where the mint was not called: a circuit breaker that earlier failures of the mint have opened is waited out. Throws
 * `ControlLost` where the backend stays down.
 */
export async function askWhenClosed(
  { backend }: Pick<Parts, 'backend'>,
  ask: () => Promise<Asked>,
  user: UserSession = backend.alice,
): Promise<Asked> {
  const first = await ask()
  if (first.calls.length > 0 || backend.tokenOf(first.reply) !== null) return first
  await backend.token(user)
  return await ask()
}
