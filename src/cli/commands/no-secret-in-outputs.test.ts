import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { BackendPolicy } from '../../../fixtures/backend/policy.ts'
import type { MintPolicy } from '../../../fixtures/mint/policy.ts'
import { startReference } from '../../../fixtures/stack.ts'
import { findSecret } from '../../base/find-secret/find-secret.ts'
import { createWorkplace } from '../testing/workplace.ts'

const each = (text: string, code: (character: string) => string) => [...text].map(code).join('')
const hex = (text: string) => Buffer.from(text).toString('hex')
const session = 'sess/7f+3e9a1c"5b\\2d8e4f6a0b=='

/** How services write a session or key that they should not write at all. */
const ways: Readonly<Record<string, (secret: string) => string>> = {
  'slashes escaped': (secret) => secret.replaceAll('/', '\\/'),
  'JavaScript units': (secret) => each(secret, (c) => `\\u${hex(c).padStart(4, '0')}`),
  'HTML references': (secret) => each(secret, (c) => `&#x${hex(c)};`),
  'JSON in JSON': (secret) => JSON.stringify(JSON.stringify({ seen: secret })),
  'percent escapes, twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  backwards: (secret) => [...secret].toReversed().join(''),
  'UTF-16': (secret) => Buffer.from(secret, 'utf16le').toString('latin1'),
  'hexadecimal with colons': (secret) => each(secret, (c) => `${hex(c)}:`),
  'wrapped base64': (secret) => btoa(secret).replace(/.{16}/g, '$&\n'),
  'base64 of base64': (secret) => btoa(btoa(secret)),
  'base64 of gzip': (secret) => gzipSync(secret).toString('base64'),
  'all but the last character': (secret) => secret.slice(0, -1),
  'at the end of what is recorded': (secret) => 'x'.repeat(4095 - secret.length) + secret,
}

/** Credentials that the service itself makes, and that no configuration names. */
const made = {
  cookie: 'c0ffee-4d3c2b1a-made-by-the-service',
  refresh: 'r3fresh-9f8e7d6c-made-by-the-service',
}

test.concurrent('nothing that a service echoes or makes reaches an output', async () => {
  const backend: Partial<BackendPolicy> = {
    answer: (usual, { headers }) => {
      const secret = headers.authorization?.replace(/^bearer /i, '') ?? 'none'
      const told = Object.fromEntries(Object.entries(ways).map(([name, write]) => [name, write(secret)]))
      return {
        ...usual,
        headers: {
          ...usual.headers,
          'set-cookie': `id=${made.cookie}; Path=/; HttpOnly`,
          'x-echo': encodeURIComponent(secret),
        },
        body: JSON.stringify({ ...JSON.parse(usual.body), refreshToken: made.refresh, ...told }),
      }
    },
  }
  await using reference = await startReference({ variant: { backend } })
  await using place = await createWorkplace(reference.written)
  const { stdout, stderr } = await place.start(['run', '--suite', 'backend', '--json']).ended
  const texts = [stdout, stderr, await place.read('results.json'), await place.read('report.html')]
  const sessions = Object.values(reference.backend.sessions).map(({ token }) => token)
  const secrets = [...sessions, ...Object.values(made)]
  for (const secret of secrets) for (const text of texts) expect(findSecret(text, secret), secret).toBeNull()
  const results = await place.results()
  expect(results.checks.find(({ id }) => id === 'BACK-01')?.verdict).toBe('pass')
})

test.concurrent('prints an adapter error as one line without secrets and escape sequences', async () => {
  await using reference = await startReference({})
  await using place = await createWorkplace({
    ...reference.written,
    backend: { url: reference.backend.tokenUrl, sessions: { alice: { token: session, userId: 'u' } } },
    signaling: { url: reference.signaling.url, adapter: './adapter.mjs' },
  })
  await place.write(
    'adapter.mjs',
    `export async function connect({ token }) {
  const text = \`\\u001b[31mno\\u001b[0m \${token} ${session.replaceAll('\\', '\\\\')}\\n::error::forged\\n##[error]forged\`
  console.log(text)
  console.error(text)
  setImmediate(() => { throw new Error(text) })
  throw new Error(text)
}
`,
  )
  const run = await place.start(['run', '--only', 'SIG-01', '--keep-going', '--json']).ended
  const doctor = await place.start(['doctor']).ended
  for (const { stdout, stderr } of [run, doctor]) {
    for (const text of [stdout, stderr]) {
      expect(findSecret(text, session), text).toBeNull()
      expect(text).not.toMatch(/eyJ[\w-]{10,}\.[\w-]{10,}/)
      expect(text).not.toContain('\u001b')
    }
    expect(stderr).not.toMatch(/^\s*(?:::|##\[)/m)
    expect(stderr).not.toMatch(/^\s+at /m)
  }
})

test.concurrent('hides what a variable has in an address, and a session that is a word ends no run', async () => {
  let alice = ''
  const presentedSession = ({ headers }: { headers: Readonly<Record<string, string | undefined>> }) =>
    headers['authorization'] === 'Bearer session' ? alice : null
  await using reference = await startReference({ variant: { backend: { presentedSession } } })
  alice = reference.backend.sessions.alice.token
  await using place = await createWorkplace({
    ...reference.written,
    backend: {
      url: `${reference.backend.tokenUrl}?access=\${PW}`,
      sessions: { alice: { token: 'session', userId: 'u' } },
    },
  })
  const prelude = `export PW='corr3ct h0rse'`
  const args = ['run', '--only', 'BACK-02,BACK-14', '--keep-going', '--evidence', 'full']
  const { code, stdout, stderr } = await place.start(args, { prelude }).ended
  expect([1, 3], stderr).toContain(code)
  const files = ['results.json', 'report.html', 'evidence.json'].map((name) => place.read(name))
  const texts = [stdout, stderr, ...(await Promise.all(files))]
  for (const text of texts) expect(text).not.toMatch(/corr3ct|h0rse/)
  expect(texts[2], stdout + stderr).toContain('?access=‹secret, 13 characters')
})

test.concurrent('doctor names the variables in an address and in a command, not their values', async () => {
  const tenant = 'tenant-4f0c2d9e8b7a'
  await using place = await createWorkplace({
    mint: { url: `http://127.0.0.1:9/\${TENANT}`, apiKey: 'ac_live_000000000000000000000000' },
    client: {
      command: `node client.mjs --password \${PASSWORD} --db postgres://app:hunter2@db/shop`,
      users: { alice: { userId: 'u', sessionToken: session } },
    },
  })
  const prelude = `export TENANT=${tenant} PASSWORD='correct horse battery'`
  const { stdout, stderr } = await place.start(['doctor'], { prelude }).ended
  expect(stdout).toContain('$' + '{TENANT}')
  expect(stdout).toContain('--password $' + '{PASSWORD}')
  expect(stdout + stderr).not.toContain(tenant)
  expect(stdout + stderr).not.toContain('horse')
  expect(stdout + stderr).not.toContain('hunter2')
})

test.concurrent('a credential among the arguments is not in the list of processes', async () => {
  const asked = Promise.withResolvers<void>()
  const looked = Promise.withResolvers<void>()
  const mint: Partial<MintPolicy> = {
    async answer(usual) {
      asked.resolve()
      await looked.promise
      return usual
    },
  }
  await using reference = await startReference({ variant: { mint } })
  await using place = await createWorkplace({})
  const key = reference.configuration.mint?.apiKey ?? ''
  const args = ['verify', 'mint', '--url', reference.mint.url, '--credential', `apiKey=${key}`]
  const running = place.start(args)
  await asked.promise
  const shown = await readFile(`/proc/${running.process.pid}/cmdline`, 'utf8')
  looked.resolve()
  expect(shown).not.toContain(key)
  expect(shown).toContain('twotoken')
  expect((await running.ended).code).not.toBe(2)
})

test.concurrent('an argument that is refused is not repeated', async () => {
  await using place = await createWorkplace({})
  const args = 'verify mint --url http://127.0.0.1:9 --nope --credential'.split(' ')
  const { code, stderr } = await place.start([...args, `session=${session}`]).ended
  expect(code).toBe(2)
  expect(findSecret(stderr, session)).toBeNull()
})
