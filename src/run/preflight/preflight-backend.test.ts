import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { BackendConfiguration } from '../../roles/backend/configuration.ts'
import {
  alice,
  answering,
  backend,
  closedPort,
  fatalOf,
  key,
  page,
  type Routes,
  service,
} from './testing/preflight.ts'

const askMint = (port: number, userId = alice.userId) =>
  fetch(`http://127.0.0.1:${port}/api/v1/calling/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  })

async function problemsWith(route: Routes[string] = 404, change: Partial<BackendConfiguration> = {}) {
  await using server = await service({ 'POST /calling/token': route })
  return await backend(`${server.url}/calling/token`, change)
}

const doubleAt = (port: number) => ({ fakeMint: { host: '127.0.0.1', port, tls: false, apiKey: key } })

test.each([
  ['answers with a token', 200],
  ['answers 500', 500],
  ['answers 405', 405],
])('the backend is judged when it %s', async (_, status) => {
  expect(fatalOf(await problemsWith(status))).toEqual([])
})

test('the backend has no session for alice when it redirects her as it does a request without a session', async () => {
  const redirects = (response: ServerResponse) => void response.writeHead(302, { location: '/login' }).end()
  expect(await problemsWith(redirects)).toMatchObject([{ kind: 'session', fatal: true }])
})

test.each<[string, Routes[string]]>([
  ['404', 404],
  ['a web page', (response) => void response.end(page)],
])('the backend is at another address when it answers %s', async (_, route) => {
  expect(await problemsWith(route)).toMatchObject([{ part: 'backend', kind: 'url', fatal: true }])
})

test.each([
  [415, 'write body: { json: {} } in backend.request'],
  [419, 'add the CSRF header and cookie to backend.request'],
])('the backend that answers %i needs more of a request, as its problem says', async (status, advice) => {
  expect((await problemsWith(status)).map(({ message }) => message).join()).toContain(advice)
})

test('the backend without a session of alice is noted, since nothing of it can be judged', async () => {
  expect(await problemsWith(401, { sessions: {} })).toMatchObject([
    { part: 'backend', kind: 'session', fatal: false },
  ])
})

test('the backend is judged when it hangs after it has asked the mint, and answers requests without a session', async () => {
  const port = await closedPort()
  const hangs: Routes[string] = (response, { headers }) => {
    if (headers.authorization === undefined) response.writeHead(401).end()
    else fetch(`http://127.0.0.1:${port}`).catch(() => undefined)
  }
  expect(fatalOf(await problemsWith(hangs, doubleAt(port)))).toEqual([])
  expect(await problemsWith(hangs)).toMatchObject([{ kind: 'peer', fatal: true }])
})

test.each([200, 401])(
  'the backend is judged when it returns the API key with %i, and asks no mint',
  async (status) => {
    const problems = await problemsWith(
      answering(status, { 'content-type': 'application/json' }, JSON.stringify({ apiKey: key })),
      doubleAt(await closedPort()),
    )
    expect(fatalOf(problems)).toEqual([])
    expect(problems).toMatchObject([{ message: expect.stringContaining('returned the API key for') }])
    expect(problems[0]?.message).not.toContain(key)
  },
)

test('the backend is judged when it mints for an id that no request names, as a health probe does', async () => {
  const port = await closedPort()
  const probes = async (response: ServerResponse) => {
    await askMint(port, 'u-probe')
    response.end(await (await askMint(port)).text())
  }
  const message = expect.stringMatching(/^the mint double received a call for u-probe that no request/)
  expect(await problemsWith(probes, doubleAt(port))).toMatchObject([{ fatal: false, message }])
})

test('the backend is judged when one of its nodes is dead', async () => {
  const port = await closedPort()
  let asked = 0
  const problems = await problemsWith(async (response, { headers }) => {
    if (headers.authorization === undefined) return void response.writeHead(401).end()
    asked += 1
    if (asked > 1) response.end(await (await askMint(port)).text())
  }, doubleAt(port))
  expect(fatalOf(problems)).toEqual([])
  expect(asked).toBeGreaterThan(1)
})

test('the backend is judged when it answers 401 because it rejects every token of the mint', async () => {
  const port = await closedPort()
  const rejects = (response: ServerResponse) =>
    void askMint(port).finally(() => response.writeHead(401).end())
  expect(fatalOf(await problemsWith(rejects, doubleAt(port)))).toEqual([])
})

test('the backend whose mint double finds its port taken cannot be judged', async () => {
  await using squatter = await service({})
  const message = expect.stringContaining(`:${squatter.port}: the port is already in use`)
  expect(await problemsWith(502, doubleAt(squatter.port))).toMatchObject([
    { part: 'backend', kind: 'port', fatal: true, message },
  ])
})

const mixed = expect.stringMatching(/backend\.sessions\.bob\.token.*the backend mixes up users/)

test.each<[string, number, number, object[]]>([
  ['for a moment, and is judged', 500, 900, []],
  ['beyond its expiry, and is judged', 900_000, 2, []],
  ['for as long as two sessions of one user', 900_000, 900, [{ kind: 'session', message: mixed }]],
])('the backend hands on a token %s', async (_, keptMs, lifeSeconds, problems) => {
  let kept = { token: '', until: 0 }
  const keeps: Routes[string] = (response, { headers }) => {
    const user = headers.authorization?.replace('Bearer session-of-', 'u-') ?? ''
    if (Date.now() > kept.until) kept = { token: jwtFor(user, lifeSeconds), until: Date.now() + keptMs }
    response.writeHead(user === '' ? 401 : 200).end(user === '' ? '{}' : `{"token":"${kept.token}"}`)
  }
  const sessions = { alice, bob: { token: 'session-of-bob', userId: 'u-bob' } }
  expect(fatalOf(await problemsWith(keeps, { sessions }))).toMatchObject(problems)
})

function jwtFor(userId: string, seconds: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part({ sub: userId, exp: Math.floor(Date.now() / 1000) + seconds })}.${'s'.repeat(43)}`
}
