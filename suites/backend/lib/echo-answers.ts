import { parsedJson } from '../../../src/base/http/incoming.ts'
import { isRecord } from '../../../src/base/tokens/decode.ts'
import type { DoubleAnswer, DoubleScript } from '../../../src/roles/mint/double.ts'

export interface EchoAnswer {
  /** The end of a sentence. */
  readonly when: string
  readonly script: DoubleScript
  /** The body of a success without a token, which the example of clause 4.1 takes for one. */
  readonly tokenless?: string
}

/** Begins the text of the mint's own errors. */
export const mark = 'upstream-'

/** Length of what may lie between the canary and the key in a log, on each side. */
const echoCharacters = 2000

/** Cuts what a log has of these responses out of it: no mint echoes a key, and many backends log why minting failed. */
export function withoutEchoes(log: string): string {
  let rest = ''
  let from = 0
  for (let index = log.indexOf(mark); index !== -1; index = log.indexOf(mark, index + mark.length)) {
    rest += log.slice(from, Math.max(from, index - echoCharacters))
    from = Math.max(from, index + echoCharacters)
  }
  return rest + log.slice(from)
}

/** Responses of a mint that echo the key and its own error text, and broken connections. */
export function createEchoAnswers(key: string, canary: string): EchoAnswer[] {
  const words = `${canary}: Bearer ${key} is not allowed`
  const echo: Omit<DoubleAnswer, 'status' | 'body'> = {
    statusText: `Refused ${canary} ${key}`,
    headers: {
      'x-request': `authorization: Bearer ${key}`,
      'www-authenticate': `Bearer error="${canary}", error_description="unknown key ${key}"`,
    },
  }
  const request = { headers: { authorization: `Bearer ${key}` } }
  const failing = [400, 401, 403, 429, 500, 503].map((status) => ({
    when: `when the mint answers ${status}`,
    script: () => ({ ...echo, status, body: JSON.stringify({ error: { message: words, request } }) }),
  }))
  const tokenlessSuccess = (what: string, body: string, contentType = 'application/json'): EchoAnswer => ({
    when: `when the mint answers 200 ${what}`,
    script: () => ({ status: 200, headers: { 'content-type': contentType }, body }),
    tokenless: body,
  })
  return [
    ...failing,
    {
      when: 'when the mint answers 502 with HTML',
      script: () => ({
        ...echo,
        status: 502,
        headers: { ...echo.headers, 'content-type': 'text/html' },
        body: `<p>${words}</p>`,
      }),
    },
    tokenlessSuccess('without a token', JSON.stringify({ message: words })),
    tokenlessSuccess('with plain text', words, 'text/plain'),
    tokenlessSuccess('with truncated JSON', `{"message":"${words}`),
    { when: 'when the mint resets the connection', script: () => 'reset' },
    {
      when: 'when the mint issues a token',
      async script(_, ordinary) {
        const answer = await ordinary()
        const json = parsedJson(answer.body)
        // A body that is the token itself cannot carry more.
        const body = isRecord(json) ? JSON.stringify({ ...json, request }) : answer.body
        return {
          ...answer,
          statusText: `Issued for ${key}`,
          headers: { ...answer.headers, 'x-request': `Bearer ${key}` },
          body,
        }
      },
    },
  ]
}
