import type { Clock } from '../base/clock.ts'
import type { HttpClient, Reply } from '../base/http/client.ts'
import { type Limits, outageSeconds } from '../base/limits.ts'
import { type TellWait, tellingWait } from '../base/told-wait.ts'

/** The pauses grow, so that a limit which counts every try has a long time without one. */
const firstPauseMs = 1_000

/** The end of an outage: a part had served before, and then rejected or failed every fresh request. */
export type Outage<Failed> =
  | { readonly kind: 'served' }
  | {
      readonly kind: 'down'
      readonly seconds: number
      readonly tried: Failed
      /** Shows that the part is there. */
      readonly alive: SignOfLife
    }
  /** A ban, a limit, a network or an outage of the whole service may be the cause. */
  | { readonly kind: 'unclear' }

export interface SignOfLife {
  /** Completes "although it …": "rejected an unknown key with 401". */
  readonly what: string
  readonly exchange: string
}

/** Ordinary use of a part, and other requests to it. */
export interface OrdinaryUse<Tried, Failed extends Tried> {
  tryOnce(): Promise<Tried>
  isServed(tried: Tried): boolean
  /** Says whether it failed or was silent. A rejection may be a ban, and 429 is a limit. */
  isFailure(tried: Tried): tried is Failed
  /** Null where other requests are not answered either. */
  findLife(): Promise<SignOfLife | null>
}

export interface OutageOptions {
  readonly clock: Clock
  readonly limits: Limits
  /** Completes "waits for …". */
  readonly what: string
  readonly tell: TellWait
}

/**
 * Tries ordinary use until it is served. The part is down where it never was although the part answers other requests, and no
 * try was rejected in so many words: then neither a ban, a rate limit nor a network is the cause.
 */
export async function outlastOutage<Tried, Failed extends Tried>(
  { tryOnce, isServed, isFailure, findLife }: OrdinaryUse<Tried, Failed>,
  { clock, limits, what, tell }: OutageOptions,
): Promise<Outage<Failed>> {
  const seconds = outageSeconds(limits)
  const end = clock.monotonic() + seconds * 1000
  let tried = await tryOnce()
  const tryAgain = async () => {
    for (let pauseMs = firstPauseMs; isFailure(tried) && clock.monotonic() < end; pauseMs *= 2) {
      await clock.until(Math.min(end, clock.monotonic() + pauseMs))
      tried = await tryOnce()
    }
  }
  const isAlive = isFailure(tried) && (await findLife()) !== null
  if (isAlive) await tellingWait(tryAgain, { what, longestMs: seconds * 1000, tell })
  const last = tried
  const alive = isAlive && isFailure(last) ? await findLife() : null
  if (alive !== null && isFailure(last)) return { kind: 'down', seconds, tried: last, alive }
  return { kind: isServed(last) ? 'served' : 'unclear' }
}

/** A response to GET; null where the part is silent, or a gateway fails in its place. */
export async function answerToGet(
  http: HttpClient,
  { to, url }: { readonly to: 'mint' | 'signaling'; readonly url: string },
): Promise<SignOfLife | null> {
  const reply = await http.send({ to, method: 'GET', url, headers: [], newConnection: true, case: 'GET' })
  return isDecision(reply) ? { what: `answered ${reply.status} to GET`, exchange: reply.exchange } : null
}

/** Neither a failure nor a limit on the rate. */
export function isDecision(reply: Reply): reply is Reply & { readonly kind: 'answer' } {
  return reply.kind === 'answer' && reply.status < 500 && reply.status !== 429
}
