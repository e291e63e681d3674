import type { CheckContext } from '../../../src/requirement/needs.ts'
import { answerToGet, type Outage, outlastOutage } from '../../../src/requirement/outlast-outage.ts'
import type { Attempt, Refused } from '../../../src/roles/signaling/attempt.ts'

const tooManyRequests = 4429

/**
 * Joins with fresh tokens until one is accepted.
 * @param damaged offers a token that signaling rejects while it is in order
 */
export async function outlastOutageOfSignaling(
  { callingTokens, signaling, clock, configuration, http }: CheckContext<'callingTokens' | 'signaling'>,
  damaged: () => Promise<Attempt>,
): Promise<Outage<Refused>> {
  if (!signaling.hasServed()) return { kind: 'unclear' }
  const url = new URL(signaling.url)
  url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:'
  return await outlastOutage(
    {
      tryOnce: async () => await signaling.join(await callingTokens.fresh()),
      isServed: ({ outcome }) => outcome === 'accepted',
      isFailure,
      async findLife() {
        const made = await damaged()
        return made.outcome === 'refused' && made.named
          ? { what: 'rejected a tampered token as ever', exchange: made.exchange }
          : await answerToGet(http, { to: 'signaling', url: url.href })
      },
    },
    {
      clock,
      limits: configuration.limits,
      what: 'signaling to accept clients again',
      tell: signaling.tellWait,
    },
  )
}

function isFailure(made: Attempt): made is Refused {
  return (
    made.outcome === 'refused' &&
    made.undecided === true &&
    made.unreachable !== true &&
    made.events.at(-1)?.code !== tooManyRequests
  )
}
