import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import {
  answering,
  fatalOf,
  http,
  key,
  mint,
  page,
  path,
  type Routes,
  service,
  token,
} from './testing/preflight.ts'

async function problemsWith(routes: Routes, change: Parameters<typeof mint>[1] = {}) {
  await using server = await service(routes)
  return await mint(server.url, change)
}

test.each([
  ['issues a token', { [`POST ${path}`]: token }],
  ['answers without a token', { [`POST ${path}`]: 200 }],
  ['answers 500', { [`POST ${path}`]: 500 }],
  ['answers 405', { [`POST ${path}`]: 405 }],
  ['answers 400 to everything', { [`POST ${path}`]: 400 }],
  ['redirects', { [`POST ${path}`]: answering(302, { location: 'https://elsewhere.example/' }) }],
  ['takes GET only', { [`GET ${path}`]: token }],
  ['is at another version', { 'POST /api/v2/calling/token': 401 }],
  ['is at the path without a prefix', { 'POST /calling/token': token }],
  [
    'calls its JSON HTML',
    { [`POST ${path}`]: answering(200, { 'content-type': 'text/html' }, '{"token":"opaque"}') },
  ],
])('a mint that %s is left to the requirements', async (_, routes: Routes) => {
  expect(fatalOf(await problemsWith(routes))).toEqual([])
})

test('the address of the mint is searched for without the key', async () => {
  const keyed: string[] = []
  await using server = await http((request, response) => {
    if (request.headers.authorization !== undefined) keyed.push(request.url ?? '')
    response.writeHead(404).end()
  })
  await mint(`${server.url}/base`)
  expect(keyed).toEqual([`/base${path}`])
})

test.each([
  ['a web page', answering(200, {}, page)],
  ['a redirect to another origin', answering(308, { location: `https://elsewhere.example${path}` })],
  [
    'the complaint of a TLS port',
    answering(400, {}, '<html>400 The plain HTTP request was sent to HTTPS port</html>'),
  ],
])('the address of the mint is wrong when it answers with %s', async (_, answer) => {
  expect(await problemsWith({ [`POST ${path}`]: answer })).toMatchObject([
    { part: 'mint', kind: 'url', fatal: true },
  ])
})

test.each([401, 402, 403, 429])(
  'the key is named, and not shown, when the mint answers %i',
  async (status) => {
    const [problem] = await problemsWith({ [`POST ${path}`]: status })
    expect(problem).toMatchObject({ part: 'mint', kind: 'key', fatal: true })
    expect(problem?.message).toContain(`returned ${status}`)
    expect(problem?.message).not.toContain(key)
  },
)

test('the key is found out although the mint refuses the lifetime first', async () => {
  let calls = 0
  const refuses = (response: ServerResponse) => void response.writeHead(++calls === 1 ? 400 : 401).end()
  expect(await problemsWith({ [`POST ${path}`]: refuses })).toMatchObject([{ kind: 'key' }])
})

test('the key is not tried when it is blank', async () => {
  const message = expect.stringContaining('mint.apiKey is blank')
  expect(await problemsWith({ [`POST ${path}`]: 401 }, { apiKey: ' ' })).toMatchObject([
    { part: 'mint', kind: 'credential', fatal: true, message },
  ])
})
