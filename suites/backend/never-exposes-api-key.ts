import { findSecret } from '../../src/base/evidence/find-secret.ts'
import type { Reply } from '../../src/base/http/client.ts'
import { ControlLost } from '../../src/base/inconclusive.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { answeredFromCache, askPastCache } from './ask-past-cache.ts'
import { createEchoAnswers } from './echo-answers.ts'
import { findMintedUser } from './find-minted-user.ts'
import { jsonAnswer } from './variant-answers.ts'
import { shortLifetime } from './with-short-lived-tokens.ts'

export default defineCheck({
  id: 'BACK-08',
  role: 'backend',
  level: 'MUST',
  kind: 'handles-failure',
  clauses: ['2.1.1', '5.2'],
  title: 'never exposes its API key to the app',
  why: 'Upstream errors echo the request. A backend that forwards them, or dumps its own request, gives the key to every app.',
  how: "The suite's mint double echoes the key in the body, headers and status text of errors and successes, truncates responses and resets connections. The key in a response to the app (status text, headers or body; plain, percent-encoded, hexadecimal or base64) fails. Other text of the mint's errors in a response to the app warns.",
  mints: 3,
  needs: ['backend', 'mintDouble'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    const canary = `upstream-${parts.randomBytes(8).toString('hex')}`
    await mintDouble.runExclusive(async (double) => {
      double.lifetime(shortLifetime)
      const control = async () => {
        const { jwt, exchange } = await backend.token()
        if (readToken(jwt) === null && findMintedUser(double, jwt) === null)
          throw new ControlLost('the backend returned a token that no mint issued', [exchange])
      }
      await judge.sandwich(control, async () => {
        judgeKey(await backend.request({ session: null }), 'for a request without a session')
        for (const [when, script] of createEchoAnswers(mintDouble.apiKey, canary)) {
          double.answer(script)
          const { reply, calls } = await askPastCache(parts, double)
          double.answer(null)
          judgeKey(reply, when)
          if (calls.length > 0) judgeCanary(reply, when)
          else if (backend.tokenOf(reply) !== null) judge.untested(answeredFromCache)
          else
            judge.untested(
              'the backend failed without calling the mint, so it did not get every mint response',
            )
        }
      })
    })

    function judgeKey(reply: Reply, when: string): void {
      const found = textsOf(reply).flatMap(([place, text]) => {
        const encoding = findSecret(text, mintDouble.apiKey)
        return encoding === null ? [] : [`${encoding === 'plain' ? '' : `${encoding} `}in the ${place}`]
      })
      judge.must(found.length === 0, {
        saw: `the API key ${found.join(' and ')} of a response to the app, ${when}`,
        expected: 'no key in a response (2.1.1)',
        fix: "Answer with the backend's own error and drop the mint's.",
        evidence: [reply.exchange],
      })
    }

    function judgeCanary(reply: Reply, when: string): void {
      const places = textsOf(reply).filter(([, text]) => findSecret(text, canary) !== null)
      judge.advisory(places.length === 0, {
        saw: `error text of the mint in the ${places.map(([place]) => place).join(' and ')} of a response to the app, ${when}`,
        expected: "the backend's own error text",
        fix: "Answer with the backend's own error and drop the mint's.",
        evidence: [reply.exchange],
      })
    }
  },
  catches: {
    "passes the mint's failure on": {
      backend: { mintFailed: (usual, { reply }) => ({ ...usual, body: reply?.body ?? usual.body }) },
    },
    "quotes the mint's failure": {
      backend: {
        mintFailed: (_, { reply }) => jsonAnswer(502, { error: `the mint said ${reply?.body ?? 'nothing'}` }),
      },
    },
    "passes the mint's success on": {
      backend: {
        success: (usual, { reply }) => (reply.body.startsWith('{') ? { ...usual, body: reply.body } : usual),
      },
    },
    "copies the mint's headers": {
      backend: {
        success: (usual, { reply }) => ({
          ...usual,
          headers: { ...usual.headers, 'x-mint': reply.headers['x-request'] ?? '' },
        }),
      },
    },
    "copies the mint's headers when it fails": {
      backend: {
        mintFailed: (usual, { reply }) => ({
          ...usual,
          headers: { ...usual.headers, 'x-mint': reply?.headers['www-authenticate'] ?? '' },
        }),
      },
    },
    "quotes the mint's status text": {
      backend: {
        mintFailed: (_, { reply }) => jsonAnswer(502, { error: `mint: ${reply?.statusText ?? 'nothing'}` }),
      },
    },
    "quotes the mint's status text with a token": {
      backend: {
        success: (_, { token, reply }) => jsonAnswer(200, { token, upstream: reply.statusText }),
      },
    },
    'quotes what it could not read': {
      backend: {
        mintFailed: (usual, { reply }) =>
          reply !== null && reply.status === 200
            ? jsonAnswer(502, { error: `no token in ${reply.body}` })
            : usual,
      },
    },
    'hands an unreadable success out as the token': {
      backend: {
        readToken: ({ status, body }, usual) =>
          status === 200 && !body.startsWith('{') && !body.startsWith('ey') ? body : usual(),
      },
    },
    'prints its request when the connection breaks': { backend: printRequest((headers) => headers) },
    'prints its request in base64': {
      backend: printRequest((headers) => Buffer.from(JSON.stringify(headers)).toString('base64')),
    },
    'prints its request in hex': {
      backend: printRequest((headers) => Buffer.from(JSON.stringify(headers)).toString('hex')),
    },
    'prints its request percent-encoded': {
      backend: printRequest((headers) =>
        JSON.stringify(headers).replace(/\W|_/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
      ),
    },
    'tells the key to anyone who is refused': {
      backend: (() => {
        let key = ''
        return {
          mintCall: (usual, { apiKey }) => {
            key = apiKey
            return usual
          },
          refuseSession: () => jsonAnswer(401, { error: 'sign in first', settings: { key } }),
        }
      })(),
    },
    "passes the mint's words on without the key": {
      backend: {
        mintFailed: (_, { reply }) =>
          jsonAnswer(502, { error: (reply?.body ?? '').replaceAll(/ac_live_\w+/g, '[key]') }),
      },
      as: 'warn',
    },
    "passes the mint's status text on without the key": {
      backend: {
        mintFailed: (_, { reply }) =>
          jsonAnswer(502, { error: (reply?.statusText ?? '').replaceAll(/ac_live_\w+/g, '[key]') }),
      },
      as: 'warn',
    },
  },
})

function textsOf(reply: Reply): (readonly [place: string, text: string])[] {
  if (reply.kind === 'no-answer') return []
  return [
    ['status text', reply.statusText],
    ...reply.headers.map(([name, value]) => [`header ${name}`, `${name}: ${value}`] as const),
    ['body', reply.body],
  ]
}

/** A backend whose error page dumps a failed request that got no response. */
function printRequest(print: (headers: object) => unknown) {
  let sent: object = {}
  return {
    mintCall<Call extends { readonly headers: object }>(usual: Call): Call {
      sent = usual.headers
      return usual
    },
    mintFailed<Answer>(usual: Answer, { reply }: { readonly reply: unknown }) {
      return reply === null ? jsonAnswer(502, { error: 'failed', config: print(sent) }) : usual
    },
  }
}
