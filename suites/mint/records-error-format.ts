import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import type { Answer } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { jsonPaths } from '../../src/base/tokens/json-paths.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { Mint, MintRequest } from '../../src/roles/mint/driver.ts'

export default defineCheck({
  id: 'MINT-19',
  role: 'mint',
  level: 'INFO',
  kind: 'positive',
  clauses: ['7.1'],
  title: 'records the error format and never echoes the API key',
  why: 'The error format is not specified. A key echoed in a response reaches logs, error trackers and, through a backend that forwards errors, the app.',
  how: {
    does: [
      'Sends requests that fail (an unknown key, another path, malformed bodies, the keys in special states) and one that succeeds.',
      'The format of each response is recorded by status.',
    ],
    fails: ['The presented key in a calling token.'],
    warns: [
      'The presented key elsewhere in a response, in plain text or encoded.',
      'Eight or more characters of it, from its beginning or its end, in a calling token, unless they are a part of their own between separators, as the id of a key is.',
    ],
  },
  mints: 1,
  needs: ['mint'],
  async run({ mint, available, randomBytes }, judge) {
    const unknown = `ac_live_${randomBytes(20).toString('hex')}`
    const requests: MintRequest[] = [
      {},
      { key: unknown },
      { authorization: `Basic ${unknown}` },
      { body: '{"userId":' },
      { body: { userId: 7 } },
      { method: 'GET' },
      { contentType: 'text/plain', body: 'userId' },
      { contentType: 'application/xml', body: '<userId/>' },
      // Not the real key: what is at another path may be another service.
      { key: unknown, below: '/unknown' },
    ]
    for (const state of ['trialEndedKey', 'suspendedKey', 'cappedKey'] as const) {
      const key = available(state)?.key
      if (key !== undefined) requests.push({ key, expectsLimit: true })
    }
    const shapes: Record<string, string> = {}
    await Promise.all(
      requests.map(async (request) => {
        const reply = await mint.request(request)
        if (reply.kind === 'no-answer') return
        const presented = request.authorization?.split(' ')[1] ?? request.key ?? mint.apiKey
        const place = placeOf(presented, withoutToken(reply, mint))
        judgeToken(mint, presented, reply, judge)
        judge.advisory(place === null, {
          case: `the ${place}, status ${reply.status}`,
          saw: `the presented API key in the ${place} of a response with status ${reply.status}`,
          expected: 'no key in a response (5.2)',
          fix: "Leave the key and the request's headers out of responses, also out of error messages.",
          evidence: [reply.exchange],
        })
        shapes[reply.status] = shapeOf(reply)
      }),
    )
    judge.observe('mint.errorShapes', shapes)
  },
})

/** The part of the response that contains the key, in plain text or encoded; `null` without one. */
function placeOf(key: string, { body, headers, statusText }: Answer): string | null {
  const texts: (readonly [place: string, text: string])[] = [
    ['body', body],
    ['status line', statusText],
    ...headers.map(([name, value]) => [`header ${name}`, value] as const),
  ]
  return texts.find(([, text]) => findSecret(text, key) !== null)?.[0] ?? null
}

/** The token is judged by itself. */
function withoutToken(reply: Answer, mint: Mint): Answer {
  const token = tokenOf(reply, mint)
  const headers = reply.headers.filter(([name]) => name !== 'set-cookie')
  return token === null
    ? { ...reply, headers }
    : { ...reply, headers, body: reply.body.replaceAll(token, () => '') }
}

function tokenOf(reply: Answer, mint: Mint): string | null {
  const located = reply.status >= 200 && reply.status <= 299 ? mint.locate(reply) : null
  return located?.kind === 'found' ? located.token : null
}

/** Judges the token, which reaches the app, and the cookies, which only come back to the mint. */
function judgeToken(mint: Mint, key: string, reply: Answer, judge: Judge): void {
  const evidence = [reply.exchange]
  const cookies = reply.headers.filter(([name]) => name === 'set-cookie')
  judge.advisory(
    cookies.every(([, value]) => findSecret(value, key) === null),
    {
      case: `status ${reply.status}`,
      saw: `the presented API key in a cookie of a response with status ${reply.status}`,
      expected: 'the key in the Authorization header of requests only',
      fix: 'Set no cookie from the key.',
      evidence,
    },
  )
  const token = tokenOf(reply, mint)
  const read = token === null ? null : readToken(token)
  if (read === null) return
  const text = JSON.stringify([read.header, read.claims])
  const isWhole = findSecret(text, key) !== null
  judge.must(!isWhole, {
    saw: 'the presented API key in the calling token',
    expected: 'no key in what is sent to a client (2.1.1)',
    fix: 'Leave the key out of the token, whose claims every client can read; replace the key.',
    evidence,
  })
  const shown = isWhole ? 0 : countShownCharacters(text, key)
  judge.advisory(shown < shortestPart, {
    saw: `${shown} secret characters of the presented API key in the calling token`,
    expected: 'no part of the key in what is sent to a client (2.1.1)',
    fix: 'Name keys in tokens by an id that is no part of them.',
    evidence,
  })
}

/** Fewer say nothing that a console would not show. */
const shortestPart = 8
/** A key that has an id inside has at least as much besides. */
const shortestSecret = 16

/** How many characters of the key's secret part a text shows, from its beginning or its end. */
function countShownCharacters(text: string, key: string): number {
  const parts = key.replace(/^ac_live_/i, '').split(/[^A-Za-z0-9]/)
  // A part that is set apart inside a key and shown whole is its id.
  const secret = parts.filter((part) => part.length < shortestPart || !isIdIn(text, part, parts)).join('')
  for (let length = secret.length; length >= shortestPart; length -= 1)
    if (text.includes(secret.slice(0, length)) || text.includes(secret.slice(-length))) return length
  return 0
}

function isIdIn(text: string, part: string, parts: readonly string[]): boolean {
  const others = parts.filter((other) => other !== part)
  return (
    text.includes(part) && others.some((other) => other.length >= shortestSecret && !text.includes(other))
  )
}

/** The fields of a JSON body with their types, or the content type of another body. */
function shapeOf({ json, body, headers }: Answer): string {
  if (json !== undefined)
    return `JSON ${jsonPaths(json)
      .map(({ path, value }) => `${path}: ${value === null ? 'null' : typeof value}`)
      .slice(0, 20)
      .join(', ')}`
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? 'no content type'
  return `${type}, ${body.length} characters`
}
