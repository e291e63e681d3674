import { randomBytes } from 'node:crypto'
import { secretIn } from '../../src/base/evidence/find-secret.ts'
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
  clauses: ['2.1.1', '5.2'],
  title: 'keeps its API key to itself, whatever the mint answers',
  why: 'Upstream errors repeat what they were sent, and a backend that passes them on, or prints its own request, gives the key to every app.',
  how: "The suite's mint double repeats the key that it was sent in the body, the headers and the status text of its answers, with failures and with tokens alike, and it cuts answers off and resets connections. The key anywhere in what the app gets (status text, headers, body; plain, percent-encoded, hexadecimal or base64) is a failure. Other words of the mint's failures that reach the app are a warning.",
  mints: 3,
  needs: ['backend', 'mintDouble'],
  phase: 'exclusive',
  async run(parts, judge) {
    const { backend, mintDouble } = parts
    const canary = `upstream-${randomBytes(8).toString('hex')}`
    await mintDouble.alone(async (double) => {
      double.lifetime(shortLifetime)
      const control = async () => {
        const { jwt, exchange } = await backend.token()
        if (readToken(jwt) === null && findMintedUser(double, jwt) === null)
          throw new ControlLost('the backend hands out something that no mint gave it', [exchange])
      }
      await judge.sandwich(control, async () => {
        judgeKey(await backend.request({ session: null }), 'to a request without a session')
        for (const [when, script] of createEchoAnswers(mintDouble.apiKey, canary)) {
          double.answer(script)
          const { reply, calls } = await askPastCache(parts, double)
          double.answer(null)
          judgeKey(reply, when)
          if (calls.length > 0) judgeCanary(reply, when)
          else if (backend.tokenOf(reply) !== null) judge.untested(answeredFromCache)
          else
            judge.untested(
              'the backend failed without calling the mint, so it did not get every answer of it',
            )
        }
      })
    })

    function judgeKey(reply: Reply, when: string): void {
      const found = textsOf(reply).flatMap(([place, text]) => {
        const encoding = secretIn(text, mintDouble.apiKey)
        return encoding === null ? [] : [`${encoding === 'plain' ? '' : `${encoding} `}in the ${place}`]
      })
      judge.must(found.length === 0, {
        saw: `the API key, ${found.join(' and ')} of an answer to the app, ${when}`,
        expected: 'no key in any answer',
        evidence: [reply.exchange],
      })
    }

    function judgeCanary(reply: Reply, when: string): void {
      const places = textsOf(reply).filter(([, text]) => secretIn(text, canary) !== null)
      judge.advisory(places.length === 0, {
        saw: `words of the mint in the ${places.map(([place]) => place).join(' and ')} of an answer to the app, ${when}`,
        expected: "the backend's own words",
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
    'prints its request when the connection breaks': { backend: printedRequest((headers) => headers) },
    'prints its request in base64': {
      backend: printedRequest((headers) => Buffer.from(JSON.stringify(headers)).toString('base64')),
    },
    'prints its request in hex': {
      backend: printedRequest((headers) => Buffer.from(JSON.stringify(headers)).toString('hex')),
    },
    'prints its request percent-encoded': {
      backend: printedRequest((headers) =>
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

/** A backend whose error page shows the request that failed, when there is no answer to it. */
function printedRequest(print: (headers: object) => unknown) {
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
