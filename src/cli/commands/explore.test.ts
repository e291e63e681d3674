import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deepBackends } from '../../../fixtures/explore/variants/backend.ts'
import { startReference } from '../../../fixtures/stack.ts'
import type { RunResults } from '../../reports/results.ts'
import { findFreePort } from '../../run/provision/engine/local-address.ts'
import { createWorkplace } from '../testing/workplace.ts'

const lockKey = `ac_live_${'Zq81'.repeat(10)}`

const verdictsOf = ({ checks }: RunResults) => checks.map(({ id, verdict }) => `${id} ${verdict}`)

const story = {
  role: 'backend',
  breaks: 'EXP-06',
  opening: 'alice and bob signed in and got a token.',
  told: [],
  steps: [
    { does: 'ask', who: ['alice'], mint: '503' },
    { does: 'ask', who: ['alice'], mint: '503' },
    { does: 'ask', who: ['alice'], mint: 'a token' },
  ],
}

test.each([
  ['mint', 5],
  ['backend', 10],
])('explores the embedded reference as %s, and accuses it of nothing', async (role, count) => {
  await using workplace = await createWorkplace('')
  await rm(join(workplace.folder, 'twotoken.yaml'))
  const args = ['explore', role, '--minutes', '0.05', '--seed', '1']
  const { code, stdout, stderr } = await workplace.start(args).ended
  expect(stderr).toContain('exploring the embedded reference stack')
  expect(stdout).toContain('reference is conformant')
  expect(code).toBe(0)
  const results = await workplace.results(`explore-${role}`)
  expect(results.checks[0]?.findings[0]?.message).toMatch(/ \d+ of \d+ motifs; \d+ steps a minute\)$/)
  expect(results.checks).toHaveLength(count)
  expect(results).toMatchObject({ seed: 1, outcome: 'conformant', summary: { pass: count } })
})

test('tells a story again: numbered, with its exchanges, and to the reference without a breach', async () => {
  const deep = deepBackends['answers 200 without a token while it pauses after two failures of one kind']
  await using broken = await startReference({ variant: deep?.variant ?? {} })
  await using workplace = await createWorkplace(broken.written)
  await workplace.write('story.json', JSON.stringify(story))
  const replay = ['explore', 'backend', '--replay', 'story.json', '--config', 'twotoken.yaml']
  const { code, stdout } = await workplace.start(replay).ended
  expect(stdout).toContain('The story of EXP-06')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    '3. alice asks for a token; the mint answers with a token → alice: 200',
  )
  const command = 'npx twotoken explore backend --config twotoken.yaml --replay'
  expect(stdout).toContain(`tell it again: ${command} twotoken-results/explore-backend/story-EXP-06.json\n`)
  expect(code).toBe(1)

  const results = await workplace.results('explore-backend')
  expect(verdictsOf(results)).toEqual(['EXP-06 fail'])
  const [found] = results.checks
  const told = found?.story?.told ?? []
  expect(told.map(({ evidence }) => evidence.length > 0)).toEqual([true, true, true])
  const known = results.exchanges.map(({ id }) => id)
  expect(known).toEqual(expect.arrayContaining(told.flatMap(({ evidence }) => [...evidence])))
  expect(JSON.parse(await workplace.read('explore-backend/story-EXP-06.json'))).toMatchObject({
    steps: story.steps,
  })
})

/** A mint that rejects every request after three without a key, until it is started anew. */
const lockingMint = `
import { createServer } from 'node:http'
let rejected = 0
const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
createServer(async (request, response) => {
  let body = ''
  for await (const text of request) body += text
  if (request.method === 'POST' && request.headers.authorization === undefined) rejected += 1
  const isServed = request.headers.authorization === 'Bearer ' + process.env.MINT_KEY && rejected < 3
  response.writeHead(isServed ? 200 : 401, { 'content-type': 'application/json' })
  const exp = Math.floor(Date.now() / 1000) + 900
  const token = () => [part({ alg: 'HS256' }), part({ sub: JSON.parse(body).userId, exp }), 'c2ln'].join('.')
  response.end(JSON.stringify(isServed ? { token: token() } : { error: 'unauthorized' }))
}).listen(Number(process.env.MINT_PORT), '127.0.0.1')
`

test('starts the part anew to see the same damage again', async () => {
  const port = await findFreePort('127.0.0.1')
  await using workplace = await createWorkplace({
    mint: { url: `http://127.0.0.1:${port}`, apiKey: lockKey },
    start: { command: `MINT_PORT=${port} MINT_KEY=${lockKey} exec node mint.mjs` },
    limits: { neverSeconds: 2 },
  })
  await workplace.write('mint.mjs', lockingMint)
  const wrong = { does: 'ask', key: 'no key', who: ['alice'], lifetime: 'none', idempotency: null }
  const locking = { role: 'mint', breaks: 'EXP-43', opening: '', told: [], steps: [wrong] }
  await workplace.write('story.json', JSON.stringify({ ...locking, earlier: [[wrong, wrong]] }))
  const { code } = await workplace.start(['explore', 'mint', '--replay', 'story.json']).ended
  const { checks } = await workplace.results('explore-mint')
  expect(checks).toMatchObject([{ id: 'EXP-43', verdict: 'fail', story: { earlier: [[wrong, wrong]] } }])
  expect(checks[0]?.remarks).toBeUndefined()
  expect(code).toBe(1)
})

test.each([
  ['a file that is missing', 'none.json', ''],
  ['a file that is no story', 'twotoken.yaml', ''],
  ['a story of unknown steps', 'story.json', JSON.stringify({ ...story, steps: [{ does: 'dance' }] })],
])('rejects %s', async (_, file, text) => {
  await using workplace = await createWorkplace('{}')
  if (text !== '') await workplace.write(file, text)
  const { code, stderr } = await workplace.start(['explore', 'backend', '--replay', file]).ended
  expect(stderr).toMatch(/story/)
  expect(code).toBe(2)
})

test.each([
  ['is missing', ''],
  ['has unknown steps', JSON.stringify({ ...story, steps: [{ does: 'dance' }] })],
])('run judges nothing where a story of the configuration %s', async (_, text) => {
  await using workplace = await createWorkplace({ stories: ['kept.json'] })
  if (text !== '') await workplace.write('kept.json', text)
  const { code, stdout, stderr } = await workplace.start(['run']).ended
  expect(stderr).toMatch(/story/)
  expect(stdout).not.toContain('MINT-01')
  expect(code).toBe(2)
})

test('run tells the stories of the configuration again', async () => {
  await using workplace = await createWorkplace({ stories: ['story.json'] })
  await workplace.write('story.json', JSON.stringify(story))
  const { code } = await workplace.start(['run', '--suite', 'mint']).ended
  expect(code).toBe(3)
  expect(verdictsOf(await workplace.results()).join()).not.toContain('STORY')

  await workplace.start(['run']).ended
  const told = (await workplace.results()).checks.find(({ id }) => id === 'STORY-1 EXP-06')
  expect(told).toMatchObject({ verdict: 'untested', reason: expect.stringContaining('backend.url') })
  expect(told?.title).toContain('as told in story.json')
})
