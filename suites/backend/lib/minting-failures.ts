import type { DoubleReaction, DoubleScript } from '../../../src/roles/mint/double.ts'

export interface Failure {
  /** Completes "when the mint …". */
  readonly name: string
  /** Null where the mint refuses connections. */
  readonly script: DoubleScript | null
  /** The body of a success that has no token. */
  readonly tokenless?: string
}

/** Those that take time come last. */
export const failures: readonly Failure[] = [
  ...[401, 402, 403, 429, 500, 503].map((status) =>
    reacting(`answers ${status}`, { status, body: '{"error":{"code":"refused"}}' }),
  ),
  {
    name: 'answers 500 with a token',
    script: async (_, ordinary) => ({ ...(await ordinary()), status: 500 }),
  },
  reacting('resets the connection', 'reset'),
  { name: 'refuses connections', script: null },
  tokenlessSuccess('HTML', '<p>Hello</p>', 'text/html'),
  // With spaces: a single word could be a token that is no JWT.
  tokenlessSuccess('plain text', 'Calling is not available at the moment', 'text/plain'),
  tokenlessSuccess('an empty body', ''),
  tokenlessSuccess('an empty object', '{}'),
  tokenlessSuccess('a null token', '{"token":null}'),
  tokenlessSuccess('an error', '{"error":"trial ended"}'),
  tokenlessSuccess('an empty token', '{"token":""}'),
  tokenlessSuccess('a number as the token', '{"token":12345}'),
  reacting('answers 302 without a Location', { status: 302, body: '' }),
  reacting('answers 302 to a page', {
    status: 302,
    headers: { location: '/console/login' },
    body: '<p>Sign in</p>',
  }),
  tokenlessSuccess('truncated JSON', '{"token":"eyJhbGciOiJFUzI1NiJ9.eyJz'),
  reacting('hangs', 'hang'),
  reacting('sends headers without a body', 'headers only'),
]

function reacting(name: string, reaction: DoubleReaction): Failure {
  return { name, script: () => reaction }
}

function tokenlessSuccess(what: string, body: string, contentType = 'application/json'): Failure {
  const answer = { status: 200, headers: { 'content-type': contentType }, body }
  return { ...reacting(`answers 200 with ${what}`, answer), tokenless: body }
}
