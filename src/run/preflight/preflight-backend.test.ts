import { describe, expect, test } from 'vitest'
import { alice, backend, closedPort, fatalOf, key, page, type Routes, service } from './testing/preflight.ts'

/** Calls the mint double as a backend does. */
const askMint = (port: number, userId = alice.userId) =>
  fetch(`http://127.0.0.1:${port}/api/v1/calling/token`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ userId }),
  })

describe('the backend', () => {
  test.each([
    ['answers with a token', 200],
    ['answers 500', 500],
    ['answers 405', 405],
  ])('is judged when it %s', async (_, status) => {
    await using server = await service({ 'POST /calling/token': status })
    expect(fatalOf(await backend(`${server.url}/calling/token`))).toEqual([])
  })

  test('has no session for alice when it redirects her like strangers', async () => {
    await using server = await service({
      'POST /calling/token': (response) => void response.writeHead(302, { location: '/login' }).end(),
    })
    expect(await backend(`${server.url}/calling/token`)).toMatchObject([{ kind: 'session', fatal: true }])
  })

  test.each<[string, Routes[string]]>([
    ['404', 404],
    ['a web page', (response) => void response.end(page)],
  ])('is at another address when it answers %s', async (_, route) => {
    await using server = await service({ 'POST /calling/token': route })
    expect(await backend(`${server.url}/calling/token`)).toMatchObject([
      { part: 'backend', kind: 'url', fatal: true },
    ])
  })

  test('without a session of alice is noted, since nothing of it can be judged', async () => {
    await using server = await service({ 'POST /calling/token': 401 })
    expect(await backend(`${server.url}/calling/token`, { sessions: {} })).toMatchObject([
      { part: 'backend', kind: 'session', fatal: false },
    ])
  })

  test('is judged when it hangs after it has asked the mint, and answers strangers', async () => {
    const port = await closedPort()
    await using server = await service({
      'POST /calling/token': (response, { headers }) => {
        if (headers.authorization === undefined) response.writeHead(401).end()
        else fetch(`http://127.0.0.1:${port}`).catch(() => undefined)
      },
    })
    const fakeMint = { host: '127.0.0.1', port, tls: false, apiKey: key }
    expect(fatalOf(await backend(`${server.url}/calling/token`, { fakeMint }))).toEqual([])
    expect(await backend(`${server.url}/calling/token`)).toMatchObject([{ kind: 'peer', fatal: true }])
  })

  test.each([200, 401])('is judged when it returns the API key with %i, and asks no mint', async (status) => {
    await using server = await service({
      'POST /calling/token': (response) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ apiKey: key }))
      },
    })
    const fakeMint = { host: '127.0.0.1', port: await closedPort(), tls: false, apiKey: key }
    const problems = await backend(`${server.url}/calling/token`, { fakeMint })
    expect(fatalOf(problems)).toEqual([])
    expect(problems).toMatchObject([{ message: expect.stringContaining('returned the API key for') }])
    expect(problems[0]?.message).not.toContain(key)
  })

  test('is judged when it mints for an id that no request names, as a health probe does', async () => {
    const port = await closedPort()
    await using server = await service({
      'POST /calling/token': async (response) => {
        await askMint(port, 'u-probe')
        response.end(await (await askMint(port)).text())
      },
    })
    const fakeMint = { host: '127.0.0.1', port, tls: false, apiKey: key }
    expect(await backend(`${server.url}/calling/token`, { fakeMint })).toMatchObject([
      {
        fatal: false,
        message: expect.stringMatching(/^the mint double received a call for u-probe that no request/),
      },
    ])
  })

  test('is judged when one of its nodes is dead', async () => {
    const port = await closedPort()
    let asked = 0
    await using server = await service({
      'POST /calling/token': (response, { headers }) => {
        const isDead = asked === 0
        if (headers.authorization === undefined) return void response.writeHead(401).end()
        asked += 1
        if (!isDead)
          void askMint(port)
            .then((answer) => answer.text())
            .then((text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text))
      },
    })
    const fakeMint = { host: '127.0.0.1', port, tls: false, apiKey: key }
    expect(fatalOf(await backend(`${server.url}/calling/token`, { fakeMint }))).toEqual([])
    expect(asked).toBeGreaterThan(1)
  })

  test('is judged when it answers 401 because it rejects every token of the mint', async () => {
    const port = await closedPort()
    await using server = await service({
      'POST /calling/token': (response) => void askMint(port).finally(() => response.writeHead(401).end()),
    })
    const fakeMint = { host: '127.0.0.1', port, tls: false, apiKey: key }
    expect(fatalOf(await backend(`${server.url}/calling/token`, { fakeMint }))).toEqual([])
  })

  test('whose mint double finds its port taken cannot be judged', async () => {
    await using server = await service({ 'POST /calling/token': 502 })
    await using squatter = await service({})
    const fakeMint = { host: '127.0.0.1', port: squatter.port, tls: false, apiKey: key }
    expect(await backend(`${server.url}/calling/token`, { fakeMint })).toMatchObject([
      {
        part: 'backend',
        kind: 'port',
        fatal: true,
        message: expect.stringContaining(`:${squatter.port}: the port is already in use`),
      },
    ])
  })

  test.each<[string, number, number, object[]]>([
    ['for a moment, and is judged', 500, 900, []],
    ['beyond its expiry, and is judged', 900_000, 2, []],
    [
      'for long, which two sessions of one user would explain',
      900_000,
      900,
      [
        {
          kind: 'session',
          message: expect.stringMatching(/backend\.sessions\.bob\.token.*the backend mixes up users/),
        },
      ],
    ],
  ])('hands on a token %s', async (_, keptMs, lifeSeconds, problems) => {
    let kept = { token: '', until: 0 }
    await using server = await service({
      'POST /calling/token': (response, { headers }) => {
        const user = headers.authorization?.replace('Bearer session-of-', 'u-') ?? ''
        if (Date.now() > kept.until) kept = { token: jwtFor(user, lifeSeconds), until: Date.now() + keptMs }
        response.writeHead(user === '' ? 401 : 200).end(user === '' ? '{}' : `{"token":"${kept.token}"}`)
      },
    })
    const sessions = { alice, bob: { token: 'session-of-bob', userId: 'u-bob' } }
    expect(fatalOf(await backend(`${server.url}/calling/token`, { sessions }))).toMatchObject(problems)
  })
})

function jwtFor(userId: string, seconds: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part({ sub: userId, exp: Math.floor(Date.now() / 1000) + seconds })}.${'s'.repeat(43)}`
}
