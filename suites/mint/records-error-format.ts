import { findSecret } from '../../src/base/evidence/find-secret.ts'
import type { Answer } from '../../src/base/http/client.ts'
import { jsonPaths } from '../../src/base/tokens/json-paths.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { MintRequest } from '../../src/roles/mint/driver.ts'
import { jsonAnswer } from './variant-answers.ts'

export default defineCheck({
  id: 'MINT-19',
  role: 'mint',
  level: 'INFO',
  kind: 'positive',
  clauses: ['7.1'],
  title: 'records the error format and never echoes the API key',
  why: 'The error format is not specified. A key echoed in a response reaches logs, error trackers and, through a backend that forwards errors, the app.',
  how: 'Sends requests that fail (an unknown key, malformed bodies, the keys in special states) and one that succeeds. The format of each response is recorded by status. The presented key in a response, in plain text or encoded, warns.',
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
        const place = placeOf(presented, reply)
        judge.advisory(place === null, {
          saw: `the presented API key in the ${place} of a response with status ${reply.status}`,
          expected: 'no key in a response (5.2)',
          fix: 'Remove request headers from error messages.',
          evidence: [reply.exchange],
        })
        shapes[reply.status] = shapeOf(reply)
      }),
    )
    judge.observe('mint.errorShapes', shapes)
  },
  catches: {
    'repeats the key in its message': { mint: { refuse: echo((key) => key) }, as: 'warn' },
    'repeats the key in base64': {
      mint: { refuse: echo((key) => Buffer.from(`key=${key}`).toString('base64')) },
      as: 'warn',
    },
    'repeats the key in hex': {
      mint: { refuse: echo((key) => Buffer.from(key).toString('hex')) },
      as: 'warn',
    },
    'repeats the key in escapes': {
      mint: { refuse: echo((key) => key.replaceAll('_', '%5F')) },
      as: 'warn',
    },
    'repeats the key in a header': {
      mint: {
        answer: (answer, { headers }) => ({
          ...answer,
          headers: { ...answer.headers, 'x-debug-request': headers.authorization ?? '' },
        }),
      },
      as: 'warn',
    },
    'repeats the key in a success': {
      mint: {
        answer: (answer, { headers }) =>
          answer.status === 200
            ? jsonAnswer({ ...JSON.parse(answer.body), request: { ...headers } })
            : answer,
      },
      as: 'warn',
    },
    'repeats the key for bad bodies only': {
      mint: {
        refuse: ({ status, message }, { headers }) =>
          jsonAnswer({ error: message, ...(status === 400 ? { headers } : {}) }, status),
      },
      as: 'warn',
    },
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

/** A `refuse` hook that echoes the presented key, encoded by `write`. */
function echo(write: (key: string) => string) {
  return (
    { status }: { readonly status: number },
    request: { readonly headers: { readonly authorization?: string } },
  ) =>
    jsonAnswer({ error: `not allowed: ${write(request.headers.authorization?.split(' ')[1] ?? '')}` }, status)
}
