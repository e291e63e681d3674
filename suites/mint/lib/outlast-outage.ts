import type { Reply } from '../../../src/base/http/client.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import {
  answerToGet,
  isDecision,
  type Outage,
  outlastOutage,
} from '../../../src/requirement/outlast-outage.ts'

/**
 * Requests tokens for a valid key until one is issued.
 * @param reject sends a request with an unknown key
 */
export async function outlastOutageOfMint(
  { mint, clock, configuration, newUser, http }: CheckContext<'mint'>,
  reject: () => Promise<Reply>,
): Promise<Outage<Reply>> {
  if (!mint.hasServed()) return { kind: 'unclear' }
  return await outlastOutage(
    {
      tryOnce: () => mint.request({ userId: newUser(), followRedirects: true, newConnection: true }),
      isServed: (reply) => mint.issuedBy(reply) !== null,
      isFailure,
      async findLife() {
        const rejected = await reject()
        return isDecision(rejected) && rejected.status >= 400
          ? { what: `rejected an unknown key with ${rejected.status}`, exchange: rejected.exchange }
          : await answerToGet(http, { to: 'mint', url: mint.endpoint })
      },
    },
    { clock, limits: configuration.limits, what: 'the mint to issue tokens again', tell: mint.tellWait },
  )
}

function isFailure(reply: Reply): reply is Reply {
  return reply.kind === 'answer' ? reply.status >= 500 : reply.failure === 'timeout'
}
