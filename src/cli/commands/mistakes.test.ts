import { access, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, expect, test } from 'vitest'
import type { BackendPolicy } from '../../../fixtures/backend/policy.ts'
import { type Reference, startReference } from '../../../fixtures/stack.ts'
import { mintsForItself } from '../../../fixtures/variants/backend.ts'
import { exitCodeOf, TwotokenError } from '../../base/errors.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { createAuthority } from '../../base/tls/certificates.ts'
import { startService } from '../../roles/signaling/testing/loopback.ts'
import { preflight } from '../../run/preflight/preflight.ts'
import { closedPort, http } from '../../run/preflight/testing/preflight.ts'
import { run } from './run.ts'

// Mistakes of a user: each ends a run with exit code 2 and one sentence that names the key of the file, before anything is judged.

type Json = { [key: string]: unknown }
type File = Json & { mint: Json; backend: Json; signaling: Json; token?: Json }
/** Changes the file, and may start something beside it; what it returns ends that. */
type Mistake = (file: File) => AsyncDisposable | undefined | Promise<AsyncDisposable | undefined>

/** With the mint double; without it, the backend asks the real mint. */
const doubled = await startReference()
const direct = await startReference({ withoutDouble: true })
const temp = await openTempFolder()
const folder = temp.path
afterAll(async () => {
  for (const one of [doubled, direct, temp]) await one[Symbol.asyncDispose]()
})

let runs = 0

/** Returns the sentences that the user reads: those that keep a run from judging anything. */
async function readBy(reference: Reference, mistake: Mistake): Promise<string[]> {
  runs += 1
  const [config, out] = [join(folder, `${runs}.yaml`), join(folder, `results-${runs}`)]
  const file = structuredClone(reference.written) as File
  const beside = await mistake(file)
  await writeFile(config, JSON.stringify(file))
  const ended = run({ suites: ['flow'], config, out }, quiet)
  try {
    const error = await ended.then(() => null).catch((thrown: unknown) => thrown)
    if (!(error instanceof TwotokenError)) throw error ?? new Error('the run judged')
    expect(exitCodeOf(error)).toBe(2)
    await expect(access(join(out, 'results.json'))).rejects.toThrow('ENOENT')
    return sentencesOf(error.message)
  } finally {
    await beside?.[Symbol.asyncDispose]()
  }
}

const quiet = {
  directory: tmpdir(),
  variables: {},
  stdout: { write: (text: string) => expect(text).toBe('') },
  stderr: { isTTY: false, columns: 80, write: () => {} },
  color: false,
  onInterrupt: () => {},
}

/** Without the lines around them, and the part before each. */
function sentencesOf(message: string): string[] {
  const [first = '', ...lines] = message.split('\n  ')
  if (first !== 'the run did not start:') return [message]
  return lines.slice(0, -1).map((line) => line.replace(/^[^:]+: /, ''))
}

const set =
  (path: string, value: unknown): Mistake =>
  (file) => {
    const keys = path.split('.')
    const last = keys.pop() ?? ''
    let at: Json = file
    for (const key of keys) at = at[key] as Json
    at[last] = value
  }

const copy =
  (to: string, from: string): Mistake =>
  (file) =>
    set(
      to,
      from.split('.').reduce<unknown>((at, key) => (at as Json)[key], file),
    )(file)

const jwt = (claims: Json) =>
  `${[{ alg: 'HS256' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.c2lnbmF0dXJl`

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** A server in the place of a part; the scheme of signaling is `ws`. */
const instead =
  (path: string, answer: Answer, below = '', scheme = 'http'): Mistake =>
  async (file) => {
    const server = await http(answer)
    set(path, server.url.replace('http', scheme) + below)(file)
    return server
  }

const says =
  (status: number, body: string, headers: Record<string, string> = {}): Answer =>
  (request, response) => {
    request.resume()
    response.writeHead(status, headers).end(body)
  }
const html = (title: string, body = '') => `<!doctype html><html><title>${title}</title>${body}</html>`
const route = '/calling/token'
const throughProxy =
  (path: string, below: string, answer: Answer): Mistake =>
  async (file) => {
    set(path, `http://part.example${below}`)(file)
    file['proxy'] = {}
    return await instead('proxy.url', answer)(file)
  }
const insteadOfSignaling = (status: number, headers: Record<string, string> = {}) =>
  instead('signaling.url', says(status, '', headers), '/ws', 'ws')
const tokenWith =
  (change: Json): Mistake =>
  (file) => {
    file['token'] = { ...file['token'], ...change }
  }

const withDouble: readonly [string, Mistake, RegExp][] = [
  [
    'the key of the double is another',
    set('backend.fakeMint.apiKey', `ac_live_${'q'.repeat(32)}`),
    /^the mint double received mint\.apiKey instead of backend\.fakeMint\.apiKey/,
  ],
  [
    'the double is not reached',
    async (file) => set('backend.fakeMint.listen', `127.0.0.1:${await closedPort()}`)(file),
    /^no mint call reached 127\.0\.0\.1:\d+ \(backend\.fakeMint\.listen\): point the backend at/,
  ],
  [
    'the userId of alice is another',
    set('backend.sessions.alice.userId', 'u-other'),
    /^alice got a token for .*; the file says u-other: correct userId in backend\.sessions\.alice/,
  ],
  [
    'the command for a session prints the whole response of the login',
    (file) => {
      const { alice } = file['backend']['sessions'] as Record<string, { token: string }>
      set('backend.sessions.alice.token', JSON.stringify({ session: alice?.token }))(file)
    },
    /^backend\.sessions\.alice\.token is a JSON object; expected the credential alone/,
  ],
  [
    'the route asks for a header',
    instead('backend.url', says(400, '{"error":"X-App-Version is missing"}'), route),
    /returned 400 for backend\.sessions\.alice.*if it requires a header.* add it to backend\.request/,
  ],
  [
    "bob's session is another one of alice",
    copy('backend.sessions.bob.token', 'backend.sessions.aliceSecondDevice.token'),
    /^bob got a token for .*, the userId of alice; .*: replace backend\.sessions\.bob\.token/,
  ],
]

const withoutDouble: readonly [string, Mistake, RegExp][] = [
  [
    'the key of the mint is another',
    set('mint.apiKey', `ac_live_${'q'.repeat(32)}`),
    /returned 401 for mint\.apiKey.*correct the key/,
  ],
  [
    'the key of the mint is that of a suspended account',
    copy('mint.apiKey', 'mint.keys.suspended.key'),
    /mint\.keys\.suspended is the same as mint\.apiKey/,
  ],
  [
    'the path of the mint is another',
    (file) => set('mint.url', `${file['mint']['url']}/calling/v9`)(file),
    /returned 404, but .* exists: set mint\.url/,
  ],
  [
    'the mint is not https',
    (file) => set('mint.url', String(file['mint']['url']).replace('http:', 'https:'))(file),
    /answered without TLS; .*: correct the scheme or the port in mint\.url$/,
  ],
  [
    'a firewall stands before the mint',
    instead('mint.url', says(403, html('Attention Required! | Cloudflare'))),
    /returned 403 with the page of a firewall \("Attention Required! \| Cloudflare"\).*mint\.url/,
  ],
  [
    'a proxy stands before the mint',
    instead('mint.url', says(403, html('ERROR'), { 'x-squid-error': 'ERR_ACCESS_DENIED 0' })),
    /from a proxy in between.*proxy\.bypass/,
  ],
  [
    'the key is a session',
    set('mint.apiKey', jwt({ sub: 'u' })),
    /^mint\.apiKey is a JWT.*expected a server key/,
  ],
  [
    'the key says Bearer',
    set('mint.apiKey', `Bearer ac_live_${'q'.repeat(32)}`),
    /^mint\.apiKey begins with "Bearer"/,
  ],
  ['the key is a placeholder', set('mint.apiKey', 'ac_live_xxxxxxxx'), /^mint\.apiKey is a placeholder/],
  [
    'a session is a server key',
    copy('backend.sessions.alice.token', 'mint.apiKey'),
    /^backend\.sessions\.alice\.token is a server key/,
  ],
  [
    'the session of alice is unknown',
    set('backend.sessions.alice.token', 'an-unknown-session'),
    /returned 401 for backend\.sessions\.alice.*sign in again/,
  ],
  [
    'the session is given as an ID token, too',
    copy('backend.sessions.idToken.token', 'backend.sessions.alice.token'),
    /^backend\.sessions\.idToken\.token is the same as backend\.sessions\.alice\.token: .*remove it/,
  ],
  [
    'the session in the file has expired',
    set('backend.sessions.alice.token', jwt({ exp: 1_700_000_000 })),
    /^backend\.sessions\.alice\.token expired \d+ days ago/,
  ],
  [
    'bob is alice',
    copy('backend.sessions.bob', 'backend.sessions.alice'),
    /^backend\.sessions\.bob\.token is the same as backend\.sessions\.alice\.token/,
  ],
  [
    "the signed-out session is bob's",
    copy('backend.sessions.signedOut.token', 'backend.sessions.bob.token'),
    /^backend\.sessions\.signedOut\.token is the same as backend\.sessions\.bob\.token: .*signed-out session/,
  ],
  [
    'the expired session has not expired yet',
    set('backend.sessions.expired.token', jwt({ exp: 4_000_000_000 })),
    /^backend\.sessions\.expired\.token expires in \d+ days \(exp\).*expected an expired session/,
  ],
  [
    'the backend is the mint',
    (file) => set('backend.url', `${file['mint']['url']}/api/v1/calling/token`)(file),
    /^backend\.url is the address of the mint/,
  ],
  [
    'the route is for GET',
    instead(
      'backend.url',
      (request, response) => says(request.method === 'GET' ? 401 : 405, '')(request, response),
      route,
    ),
    /returned 405 for POST, and 401 for GET: set backend\.method to GET/,
  ],
  [
    'the route asks for a CSRF token (Django)',
    instead(
      'backend.url',
      says(403, html('403 Forbidden', '<h1>Forbidden</h1><p>CSRF verification failed. Request aborted.</p>')),
      route,
    ),
    /returned 403 for backend\.sessions\.alice.*, because the call has no CSRF token.*backend\.request/,
  ],
  [
    'the route leads to a login page',
    instead('backend.url', says(200, html('Sign in', '<input type="password">')), route),
    /with a login page \("Sign in"\).*backend\.sessions\.alice\.token/,
  ],
  [
    'the backend does not know its host',
    instead('backend.url', says(400, html('DisallowedHost at /calling/token')), route),
    /rejects this host name.*backend\.url/,
  ],
  [
    "the backend's own key is wrong",
    instead('backend.url', says(502, '{"error":"mint failed"}'), route),
    /returned 502 for backend\.sessions\.alice.*API key/,
  ],
  [
    'the authority is another',
    async (file) => {
      const path = join(folder, 'other-ca.pem')
      await writeFile(path, createAuthority().certificate)
      set('tls.ca', path)(file)
    },
    /^wss:.*not signed by .*other-ca\.pem.*set tls\.ca/,
  ],
  [
    'signaling is TLS, and the file says ws',
    (file) => set('signaling.url', String(file['signaling']['url']).replace('wss:', 'ws:'))(file),
    /^ws:.* uses TLS: write wss:\/\/ in signaling\.url/,
  ],
  [
    'signaling is a web server',
    (file) => set('signaling.url', String(file['mint']['url']).replace('http:', 'ws:'))(file),
    /answered 404 to an upgrade, with a token and without.*signaling\.url/,
  ],
  [
    'the carriage is another',
    set('signaling.profile.carriage', { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' }),
    /it takes the token at \{ in: subprotocol \}: correct signaling\.profile\.carriage/,
  ],
  [
    'the frame of success is another',
    set('signaling.profile.success', [{ frame: { path: '$.type', equals: 'ready' } }]),
    /it indicates success by .*welcome.*correct signaling\.profile\.success/,
  ],
  [
    'success and failure are the same',
    copy('signaling.profile.failure', 'signaling.profile.success'),
    /^every sign of success in the profile is also a sign of failure: correct signaling\.profile\.success/,
  ],
  [
    'signaling has less time than it needs',
    set('signaling.profile.timeoutMs', 1),
    /accepted an ordinary token after \d+ ms; signaling\.profile\.timeoutMs is 1: write timeoutMs: \d+/,
  ],
  [
    'signaling rejects after the time that counts as success',
    async (file) => {
      let genuine: string | undefined
      const service = await startService({
        open(socket, { headers: { authorization } }) {
          genuine ??= authorization
          if (authorization !== genuine) setTimeout(() => socket.close(4401), 3000)
        },
      })
      set('signaling.url', service.url)(file)
      set('signaling.profile', {
        carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
        success: [{ quietOpenMs: 100 }],
        failure: [{ close: [4401] }],
        unauthorized: [{ close: [4401] }],
      })(file)
      return service
    },
    /rejected a damaged token after \d+ ms.* accepts it after 100 ms without a failure: write quietOpenMs: \d+/,
  ],
  [
    'signaling is that of another environment',
    async (file) => {
      const service = await startService({ open: (socket) => socket.close(4401) })
      set('signaling.url', service.url)(file)
      return service
    },
    /fresh calling token: ws:.* refuses every token of this mint, or signaling\.profile does not describe how it answers; correct/,
  ],
  [
    'the clock of the mint is off',
    instead('mint.url', (request, response) => {
      const shifted = Math.floor(Date.now() / 1000) + 3600
      const token = jwt({ sub: 'tt-preflight', iat: shifted, exp: shifted + 60 })
      says(200, JSON.stringify({ token }), { date: new Date(shifted * 1000).toUTCString() })(
        request,
        response,
      )
    }),
    /^the clock of the mint \(mint\.url\) is 3\d{3} s ahead of this machine's.*correct the wrong clock/,
  ],
  [
    'the clock of signaling is off',
    insteadOfSignaling(401, { date: new Date(Date.now() + 600_000).toUTCString() }),
    /^the clock of the signaling \(signaling\.url\) is \d+ s ahead of this machine's/,
  ],
  [
    'a log is at another path',
    set('logs', ['./nowhere/backend.log']),
    /^logs\.0 \(.*nowhere\/backend\.log\) does not exist.*correct the path/,
  ],
  [
    'the proxy does not listen',
    async (file) => {
      file['proxy'] = { url: `http://127.0.0.1:${await closedPort()}` }
      set('mint.url', 'http://mint.example')(file)
    },
    /^http:\/\/mint\.example.*correct proxy\.url \(or HTTPS_PROXY\)/,
  ],
  [
    'the proxy asks for credentials',
    throughProxy('mint.url', '', says(407, '', { 'proxy-authenticate': 'Basic' })),
    /^http:\/\/part\.example.*the proxy answered 407.*correct proxy\.url/,
  ],
  [
    'the proxy cannot reach the backend',
    throughProxy('backend.url', route, says(502, html('ERROR: cannot forward'), { via: '1.1 squid' })),
    /^http:\/\/part\.example.*returned 502.*proxy\.bypass/,
  ],
  [
    'a proxy stands before signaling, names itself nowhere and drops the headers of an upgrade',
    insteadOfSignaling(426),
    /^ws:.* answered 426 to an upgrade, with a token and without.*signaling\.url.*proxy in front pass Upgrade and Connection/,
  ],
  [
    'the key set is at another address',
    (file) => tokenWith({ jwks: `${file['mint']['url']}/keys.json` })(file),
    /^token\.jwks .* cannot be used: .*404.*correct the address, or remove it/,
  ],
  [
    'the key set is that of another environment',
    async (file) => {
      const { publicKey } = await generateKeyPair('RS256', { extractable: true })
      const server = await http(says(200, JSON.stringify({ keys: [await exportJWK(publicKey)] })))
      await tokenWith({ jwks: server.url })(file)
      return server
    },
    /^no key in token\.jwks \(http.*\) verifies an ordinary calling token: the address belongs to another environment/,
  ],
  [
    'the claim of the userId is another',
    tokenWith({ userIdClaim: 'customer_id' }),
    /^token\.userIdClaim is customer_id; the token has the userId at .*sub/,
  ],
  [
    'the field of the token is another',
    tokenWith({ field: '$.data.token' }),
    /^token\.field is \$\.data\.token; the mint's body has its token at token/,
  ],
]

async function keptFromStarting({ configuration }: Reference): Promise<string[]> {
  const problems = await preflight(configuration, { parts: ['flow'] })
  return problems.filter(({ fatal }) => fatal).map(({ message }) => message)
}

test('a file without a mistake starts, also where the backend mints for its own technical user', async () => {
  await using reference = await startReference({ variant: mintsForItself })
  for (const one of [doubled, direct, reference]) expect(await keptFromStarting(one)).toEqual([])
})

test('a backend that is given the whole address of the endpoint is pointed at the double alone', async () => {
  const mintCall = <Call extends { path: string }>(call: Call) => ({ ...call, path: call.path + call.path })
  await using reference = await startReference({ variant: { backend: { mintCall } } })
  expect(await readBy(reference, () => undefined)).toEqual([
    expect.stringMatching(/^the mint calls arrived at .*\(backend\.fakeMint\.listen\) without a path/),
  ])
})

test('a backend that mints for the session instead of the user is judged', async () => {
  const ids: string[] = []
  const userId = ({ id }: { id: string }) => {
    if (!ids.includes(id)) ids.push(id)
    return `0c91f2e4-${ids.indexOf(id)}`
  }
  await using reference = await startReference({ variant: { backend: { userId } } })
  expect(await keptFromStarting(reference)).toEqual([])
})

test('one token for everyone looks like two sessions of one user, and the sentence says how to judge it', async () => {
  const backend: Partial<BackendPolicy> = {
    tokenFor(userId, { kept, mint }) {
      const token = kept.get('everyone') ?? mint(userId)
      kept.set('everyone', token)
      return token
    },
  }
  await using reference = await startReference({ variant: { backend }, withoutDouble: true })
  expect(await readBy(reference, () => undefined)).toEqual([
    expect.stringMatching(/^bob got a token for u-Alice.*if the file is right.*--keep-going to judge that$/),
  ])
})

test.each(withDouble)('%s', async (_, mistake, sentence) => {
  const [first, ...others] = await readBy(doubled, mistake)
  expect(first).toMatch(sentence)
  expect(others.length).toBeLessThanOrEqual(2)
})

test.concurrent.each(withoutDouble)('%s, without a double', async (_, mistake, sentence) => {
  const sentences = await readBy(direct, mistake)
  expect(sentences.find((one) => sentence.test(one)) ?? sentences.join('\n')).toMatch(sentence)
  expect(sentences).toHaveLength(1)
})
