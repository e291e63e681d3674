import { findSecret } from '../../src/base/find-secret/find-secret.ts'
import type { Answer } from '../../src/base/http/client.ts'
import { readToken } from '../../src/base/tokens/decode.ts'
import { jsonPaths } from '../../src/base/tokens/json-paths.ts'
import { attack } from '../../src/requirement/attack.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { MintRequest } from '../../src/roles/mint/driver.ts'

export default defineCheck({
  id: 'MINT-19',
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
  mints: 3,
  needs: ['mint'],
  async run({ mint, available, newUser, randomBytes }, judge) {
    const unknown = `ac_live_${randomBytes(20).toString('hex')}`
    const requests: Readonly<Record<string, MintRequest>> = {
      'an ordinary request': {},
      'an unknown key': { key: unknown },
      'an unknown key by Basic': { authorization: `Basic ${unknown}` },
      'malformed JSON': { body: '{"userId":' },
      'a number as userId': { body: { userId: 7 } },
      GET: { method: 'GET' },
      'text/plain': { contentType: 'text/plain', body: 'userId' },
      XML: { contentType: 'application/xml', body: '<userId/>' },
      // Not the real key: what is at another path may be another service.
      'another path': { key: unknown, below: '/unknown' },
    }
    const states = (['trialEndedKey', 'suspendedKey', 'cappedKey'] as const).flatMap((state) => {
      const key = available(state)?.key
      return key === undefined ? [] : [{ name: state, request: { key, expectsLimit: true } }]
    })
    await attack(judge, {
      control: () => mint.token(newUser()),
      cases: [...Object.entries(requests).map(([name, request]) => ({ name, request })), ...states],
      of: 'for',
      async send({ name, request }: { readonly name: string; readonly request: MintRequest }) {
        const reply = await mint.request({ ...request, case: name })
        const key = request.authorization?.split(' ')[1] ?? request.key ?? mint.apiKey
        const seen = reply.kind === 'no-answer' ? null : placesOf(key, reply, mint.issuedBy(reply))
        return { reply, seen, isUndecided: false, evidence: [reply.exchange] }
      },
      breaches: [
        {
          level: 'must',
          saw: ({ seen }) => (seen?.isInToken ? 'the presented API key in the calling token' : null),
          expected: 'no key in what is sent to a client (2.1.1)',
          fix: 'Leave the key out of the token, whose claims every client can read; replace the key.',
        },
        {
          level: 'advisory',
          saw: ({ seen }) =>
            seen === null || seen.isInToken || seen.shown < shortestPart
              ? null
              : `${seen.shown} secret characters of the presented API key in the calling token`,
          expected: 'no part of the key in what is sent to a client (2.1.1)',
          fix: 'Name keys in tokens by an id that is no part of them.',
        },
        {
          level: 'advisory',
          saw: ({ seen }) =>
            seen?.place == null ? null : `the presented API key in the ${seen.place} of a response`,
          expected: 'no key in a response (5.2)',
          fix: "Leave the key and the request's headers out of responses, also out of error messages and cookies.",
        },
      ],
      judgeAll(tried) {
        const shapes = tried.flatMap(({ seen: { reply } }) =>
          reply.kind === 'answer' ? [[reply.status, shapeOf(reply)]] : [],
        )
        judge.observe('mint.errorShapes', Object.fromEntries(shapes))
      },
    })
  },
})

/** Where a response shows the key, in plain text or encoded: in its token, which reaches the app, or elsewhere. */
function placesOf(key: string, { body, headers, statusText }: Answer, token: string | null) {
  const read = token === null ? null : readToken(token)
  const claims = read === null ? '' : JSON.stringify([read.header, read.claims])
  const texts: (readonly [place: string, text: string])[] = [
    ['body', token === null ? body : body.replaceAll(token, () => '')],
    ['status line', statusText],
    ...headers.map(([name, value]) => [name === 'set-cookie' ? 'cookie' : `header ${name}`, value] as const),
  ]
  return {
    place: texts.find(([, text]) => findSecret(text, key) !== null)?.[0] ?? null,
    isInToken: findSecret(claims, key) !== null,
    shown: countShownCharacters(claims, key),
  }
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
