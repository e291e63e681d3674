import { expect, test } from 'vitest'
import { deepBackends } from '../../../fixtures/explore/variants/backend.ts'
import { startReference } from '../../../fixtures/stack.ts'
import type { RunResults } from '../../reports/results.ts'
import { createWorkplace } from '../testing/workplace.ts'

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
  const args = ['explore', role, '--reference', '--minutes', '0.05', '--seed', '1']
  const { code, stdout, stderr } = await workplace.start(args).ended
  expect(stderr).toContain('exploring the embedded reference stack')
  expect(stdout).toContain('reference is conformant')
  expect(code).toBe(0)
  const results = await workplace.results(`explore-${role}`)
  expect(results.checks[0]?.findings[0]?.message).toMatch(/^passed in \d+ stor(y|ies) of \d+ steps$/)
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
  expect(stdout).toContain(`replay: ${command} twotoken-results/explore-backend/story-EXP-06.json\n`)
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

test('run tells the stories of the configuration again, but not where it judges other suites', async () => {
  await using workplace = await createWorkplace({
    bundle: { paths: ['story.json'] },
    stories: ['story.json'],
  })
  await workplace.write('story.json', JSON.stringify(story))
  expect(await workplace.start(['run', '--suite', 'mint']).ended).toMatchObject({ code: 3 })
  expect(verdictsOf(await workplace.results()).join()).not.toContain('STORY')

  await workplace.start(['run']).ended
  const told = (await workplace.results()).checks.find(({ id }) => id === 'STORY-1 EXP-06')
  expect(told).toMatchObject({ verdict: 'untested', reason: expect.stringContaining('backend.url') })
  expect(told?.title).toContain('as told in story.json')
})
