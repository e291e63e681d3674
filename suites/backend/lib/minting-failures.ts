import type { DoubleReaction, DoubleScript, ScriptedMint } from '../../../src/roles/mint/double.ts'

export type Failing = <T>(double: ScriptedMint, run: () => Promise<T>) => Promise<T>

/** Completes "when the mint …", as the other names of failures do. */
export const refusal = 'refuses connections'

/** A way in which the mint call of a backend fails. */
export interface Failure {
  /** Completes "when the mint …". */
  readonly name: string
  readonly fail: Failing
  /** The body of a success that has no token. */
  readonly tokenless?: string
}

export const hanging: Failure = { name: 'hangs', fail: answering('hang') }
export const bodiless: Failure = { name: 'sends headers without a body', fail: answering('headers only') }

/** Those that a mint answers at once, in the order in which they are met. */
export const promptFailures: readonly Failure[] = [
  ...[401, 402, 403, 429, 500, 503].map((status) => ({
    name: `answers ${status}`,
    fail: answering({ status, body: '{"error":{"code":"refused"}}' }),
  })),
  {
    name: 'answers 500 with a token',
    fail: scripted(async (_, ordinary) => ({ ...(await ordinary()), status: 500 })),
  },
  { name: 'resets the connection', fail: answering('reset') },
  { name: refusal, fail: refusing },
  tokenlessSuccess('HTML', '<p>Hello</p>', 'text/html'),
  // With spaces: a single word could be a token that is no JWT.
  tokenlessSuccess('plain text', 'Calling is not available at the moment', 'text/plain'),
  tokenlessSuccess('an empty body', ''),
  tokenlessSuccess('an empty object', '{}'),
  tokenlessSuccess('a null token', '{"token":null}'),
  tokenlessSuccess('an error', '{"error":"trial ended"}'),
  tokenlessSuccess('an empty token', '{"token":""}'),
  tokenlessSuccess('a number as the token', '{"token":12345}'),
  { name: 'answers 302 without a Location', fail: answering({ status: 302, body: '' }) },
  {
    name: 'answers 302 to a page',
    fail: answering({ status: 302, headers: { location: '/console/login' }, body: '<p>Sign in</p>' }),
  },
  tokenlessSuccess('truncated JSON', '{"token":"eyJhbGciOiJFUzI1NiJ9.eyJz'),
]

function tokenlessSuccess(what: string, body: string, contentType = 'application/json'): Failure {
  return {
    name: `answers 200 with ${what}`,
    fail: answering({ status: 200, headers: { 'content-type': contentType }, body }),
    tokenless: body,
  }
}

function scripted(script: DoubleScript): Failing {
  return (double, run) => {
    double.answer(script)
    return run()
  }
}

function answering(reaction: DoubleReaction): Failing {
  return scripted(() => reaction)
}

async function refusing<T>(double: ScriptedMint, run: () => Promise<T>): Promise<T> {
  await using _ = await double.refuseConnections()
  return await run()
}
