import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deepBackends } from '../../fixtures/explore/variants/backend.ts'
import { startReference } from '../../fixtures/stack.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import type { Variant } from '../requirement/define.ts'
import { tellStories } from './tell-stories.ts'

const story = {
  role: 'backend',
  breaks: 'EXP-06',
  opening: '',
  told: [],
  steps: [
    { does: 'ask', who: ['alice'], mint: '503' },
    { does: 'ask', who: ['alice'], mint: '503' },
    { does: 'ask', who: ['bob'], mint: 'a token' },
  ],
}

async function tellTwice(variant: Variant, kept: object = story) {
  await using folder = await openTempFolder()
  const file = join(folder.path, 'kept.json')
  await writeFile(file, JSON.stringify(kept))
  await using reference = await startReference({ variant })
  return await tellStories(
    { ...reference.configuration, stories: [file, file] },
    {
      seed: 1,
      environment: {},
      fingerprintKey: 'aa',
      signal: new AbortController().signal,
      onBlocked: () => {},
    },
  )
}

test('each story is a result of its own, with exchanges of its own', async () => {
  const deep = deepBackends['answers 200 without a token while it pauses after two failures of one kind']
  const { checks, exchanges } = await tellTwice(deep?.variant ?? {})
  expect(checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    'STORY-1 EXP-06 fail',
    'STORY-2 EXP-06 fail',
  ])
  const ids = exchanges.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { findings, story: told } of checks) {
    const evidence = [...findings, ...(told?.told ?? [])].flatMap((one) => one.evidence)
    expect(evidence.length).toBeGreaterThan(2)
    expect(ids).toEqual(expect.arrayContaining(evidence))
  }
})

test('names the steps that were skipped', async () => {
  const steps = [...story.steps, { does: 'answer', which: 0, mint: 'a token' }]
  const { checks } = await tellTwice({}, { ...story, steps })
  expect(checks[0]).toMatchObject({ verdict: 'pass' })
  expect(checks[0]?.findings[0]?.message).toContain('could not be taken: "answer"')
})

const withoutEnded = { backend: { sessions: { expired: null, signedOut: null } }, hooks: { signOut: null } }

test.each<[string, NonNullable<Variant['configuration']>, object, string]>([
  [
    'of which no step can be taken',
    {},
    { steps: [{ does: 'answer', which: 0, mint: 'a token' }] },
    'no step of the story could be taken ("answer")',
  ],
  [
    'about two users, of whom one is known',
    { backend: { sessions: { bob: null } } },
    { breaks: 'EXP-03', steps: story.steps.slice(0, 1) },
    'backend.sessions.bob',
  ],
  [
    'about ended sessions, of which none is known',
    withoutEnded,
    { breaks: 'EXP-04', steps: story.steps.slice(0, 1) },
    'backend.sessions.expired',
  ],
])('a story %s is untested', async (_, configuration, change, reason) => {
  const { checks } = await tellTwice({ configuration }, { ...story, ...change })
  expect(checks[0]).toMatchObject({ verdict: 'untested', reason: expect.stringContaining(reason) })
})
