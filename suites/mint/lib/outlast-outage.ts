import type { Reply } from '../../../src/base/http/client.ts'
import { tellingWait } from '../../../src/base/told-wait.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'

/** How long a mint may take to serve again: bans and limits last for a minute as a rule. */
const longestSeconds = 120
/** The pauses grow, so that a limit which counts every request has a long time without one. */
const firstPauseMs = 1_000

type Parts = CheckContext<'mint'>

/** How the time ended in which a mint issued no token for a valid key, after it had issued some. */
export type Outage =
  | { readonly kind: 'served' }
  | {
      readonly kind: 'down'
      readonly seconds: number
      readonly reply: Reply
      /** How it shows that it is there: "rejected an unknown key with 401". */
      readonly alive: Sign
    }
  /** A ban, a limit, a network or an outage of the whole service may be the cause. */
  | { readonly kind: 'unclear' }

interface Sign {
  readonly what: string
  readonly exchange: string
}

/**
 * Requests tokens until one is issued. The mint is down where none was although it answers other requests, and no ordinary request
 * was rejected in so many words: then neither a ban, a rate limit nor a network is the cause.
 * @param reject sends a request with an unknown key
 */
export async function outlastOutage(parts: Parts, reject: () => Promise<Reply>): Promise<Outage> {
  const { mint, clock, configuration, newUser } = parts
  if (!mint.hasServed()) return { kind: 'unclear' }
  const seconds = configuration.limits.neverSeconds ?? longestSeconds
  const ask = async () =>
    await mint.request({ userId: newUser(), followRedirects: true, newConnection: true })
  const end = clock.monotonic() + seconds * 1000
  let reply = await ask()
  const askAgain = async () => {
    for (let pauseMs = firstPauseMs; isFailure(reply) && clock.monotonic() < end; pauseMs *= 2) {
      await clock.until(Math.min(end, clock.monotonic() + pauseMs))
      reply = await ask()
    }
  }
  const ended = (): Outage => ({ kind: mint.issuedBy(reply) === null ? 'unclear' : 'served' })
  if (!isFailure(reply) || (await findLife(parts, reject)) === null) return ended()
  await tellingWait(askAgain, {
    what: 'the mint to issue tokens again',
    longestMs: seconds * 1000,
    tell: mint.tellWait,
  })
  const alive = isFailure(reply) ? await findLife(parts, reject) : null
  return alive === null ? ended() : { kind: 'down', seconds, reply, alive }
}

/** It failed, or was silent. A rejection may be a ban; 429 is a limit. */
function isFailure(reply: Reply): boolean {
  return reply.kind === 'answer' ? reply.status >= 500 : reply.failure === 'timeout'
}

/** An unknown key that is rejected as ever, or a response to GET; null where it is silent, or a gateway fails. */
async function findLife({ mint, http }: Parts, reject: () => Promise<Reply>): Promise<Sign | null> {
  const rejected = await reject()
  if (isAnswer(rejected) && rejected.status >= 400)
    return { what: `rejected an unknown key with ${rejected.status}`, exchange: rejected.exchange }
  const read = await http.send({
    to: 'mint',
    method: 'GET',
    url: mint.endpoint,
    headers: [],
    newConnection: true,
    case: 'GET without a key',
  })
  return isAnswer(read) ? { what: `answered ${read.status} to GET`, exchange: read.exchange } : null
}

function isAnswer(reply: Reply): reply is Reply & { readonly kind: 'answer' } {
  return reply.kind === 'answer' && reply.status < 500 && reply.status !== 429
}
