import { tellingWait } from '../../../src/base/told-wait.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { Attempt, Refused } from '../../../src/roles/signaling/attempt.ts'

/** How long signaling may take to serve clients again: bans and limits last for a minute as a rule. */
const longestSeconds = 120
/** The pauses grow, so that a limit which counts every attempt has a long time without one. */
const firstPauseMs = 1_000
const tooManyRequests = 4429

type Parts = CheckContext<'callingTokens' | 'signaling'>

/** How the time ended in which signaling accepted no fresh token, after it had accepted others. */
export type Outage =
  | { readonly kind: 'served' }
  | {
      readonly kind: 'down'
      readonly seconds: number
      readonly made: Refused
      /** How it shows that it is there: "answered 426 to a request without an upgrade". */
      readonly alive: Sign
    }
  /** A ban, a limit, a network or an outage of the whole service may be the cause. */
  | { readonly kind: 'unclear' }

interface Sign {
  readonly what: string
  readonly exchange: string
}

/**
 * Joins with fresh tokens until one is accepted. Signaling is down where none was although it answers other requests, and no fresh
 * token was rejected in so many words: then neither a ban, a rate limit nor a network is the cause.
 * @param damaged a token that signaling rejects while it is in order
 */
export async function outlastOutage(parts: Parts, damaged: () => Promise<Attempt>): Promise<Outage> {
  const { callingTokens, signaling, clock, configuration } = parts
  if (!signaling.hasServed()) return { kind: 'unclear' }
  const seconds = configuration.limits.neverSeconds ?? longestSeconds
  const join = async () => await signaling.join(await callingTokens.fresh())
  const end = clock.monotonic() + seconds * 1000
  let made = await join()
  const askAgain = async () => {
    for (let pauseMs = firstPauseMs; isFailure(made) && clock.monotonic() < end; pauseMs *= 2) {
      await clock.until(Math.min(end, clock.monotonic() + pauseMs))
      made = await join()
    }
  }
  if (!isFailure(made) || (await findLife(parts, damaged)) === null) return ended(made)
  const what = 'signaling to accept clients again'
  await tellingWait(askAgain, { what, longestMs: seconds * 1000, tell: signaling.tellWait })
  const alive = isFailure(made) ? await findLife(parts, damaged) : null
  return isFailure(made) && alive !== null ? { kind: 'down', seconds, made, alive } : ended(made)
}

function ended({ outcome }: Attempt): Outage {
  return { kind: outcome === 'accepted' ? 'served' : 'unclear' }
}

/** It failed, or was silent. A rejection may be a ban; 429 is a limit. */
function isFailure(made: Attempt): made is Refused {
  return (
    made.outcome === 'refused' &&
    made.undecided === true &&
    made.unreachable !== true &&
    made.events.at(-1)?.code !== tooManyRequests
  )
}

/** A damaged token that is rejected as ever, or a response to a request without an upgrade; null where it is silent, or a gateway fails. */
async function findLife({ signaling, http }: Parts, damaged: () => Promise<Attempt>): Promise<Sign | null> {
  const made = await damaged()
  if (made.outcome === 'refused' && made.named)
    return { what: 'rejected a tampered token as ever', exchange: made.exchange }
  const url = new URL(signaling.url)
  url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
  const reply = await http.send({
    to: 'signaling',
    method: 'GET',
    url: url.href,
    headers: [],
    newConnection: true,
    case: 'a request without an upgrade',
  })
  const isAlive = reply.kind === 'answer' && reply.status < 500 && reply.status !== 429
  return isAlive
    ? { what: `answered ${reply.status} to a request without an upgrade`, exchange: reply.exchange }
    : null
}
