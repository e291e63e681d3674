import { isRecord } from '../../../src/base/tokens/decode.ts'
import type { DoubleAnswer, DoubleScript } from '../../../src/roles/mint/double.ts'

/**
 * Responses of a mint that echo the key and its own error text, and broken connections. Each with its condition, as the
 * end of a sentence.
 */
export function createEchoAnswers(
  key: string,
  canary: string,
): (readonly [when: string, script: DoubleScript])[] {
  const words = `${canary}: Bearer ${key} is not allowed`
  const echo: Omit<DoubleAnswer, 'status' | 'body'> = {
    statusText: `Refused ${canary} ${key}`,
    headers: {
      'x-request': `authorization: Bearer ${key}`,
      'www-authenticate': `Bearer error="${canary}", error_description="unknown key ${key}"`,
    },
  }
  const request = { headers: { authorization: `Bearer ${key}` } }
  const failing = [400, 401, 403, 429, 500, 503].map(
    (status) =>
      [
        `when the mint answers ${status}`,
        () => ({ ...echo, status, body: JSON.stringify({ error: { message: words, request } }) }),
      ] as const,
  )
  return [
    ...failing,
    [
      'when the mint answers 502 with HTML',
      () => ({
        ...echo,
        status: 502,
        headers: { ...echo.headers, 'content-type': 'text/html' },
        body: `<p>${words}</p>`,
      }),
    ],
    [
      'when the mint answers 200 without a token',
      () => ({ status: 200, body: JSON.stringify({ message: words }) }),
    ],
    [
      'when the mint answers 200 with plain text',
      () => ({ status: 200, headers: { 'content-type': 'text/plain' }, body: words }),
    ],
    ['when the mint answers 200 with truncated JSON', () => ({ status: 200, body: `{"message":"${words}` })],
    ['when the mint resets the connection', () => 'reset'],
    [
      'when the mint issues a token',
      async (_, ordinary) => {
        const answer = await ordinary()
        const json = parsed(answer.body)
        // A body that is the token itself cannot carry more.
        const body = isRecord(json) ? JSON.stringify({ ...json, request }) : answer.body
        return {
          ...answer,
          statusText: `Issued for ${key}`,
          headers: { ...answer.headers, 'x-request': `Bearer ${key}` },
          body,
        }
      },
    ],
  ]
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
