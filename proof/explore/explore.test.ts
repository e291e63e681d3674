import { expect, test } from 'vitest'
import { deepBackends } from '../../fixtures/explore/variants/backend.ts'
import { deepMints } from '../../fixtures/explore/variants/mint.ts'
import { deepSignalings } from '../../fixtures/explore/variants/signaling.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { ShownStory } from '../../src/requirement/shown-story.ts'
import { exploreVariant, findStory, tellStoryTo } from './prove-found.ts'

// A slice: npm run proof -- stories finds each deep variant from several seeds.
const minutes = 4
const own = (id: string) => (check: { readonly id: string }) => check.id === id

const slice = [
  'answers 200 without a token while it pauses after two failures of one kind',
  'stops validating sessions after two failures of one kind',
] as const

test.each(slice)('a backend that %s is found, and its story tells it from the reference', async (name) => {
  const deep = deepBackends[name]
  if (deep === undefined) throw new Error(`there is no deep variant called ${name}`)
  const { checks } = await findStory('backend', deep, { seed: 1, minutes })
  const found = checks.find(own(deep.breaks))
  expect(found).toMatchObject({ verdict: 'fail', reason: null })
  const { story } = found ?? {}
  if (story === undefined) throw new Error('it was found without a story')
  expect(story.steps.length).toBeGreaterThanOrEqual(3)
  expect(story.told.every(({ evidence }) => Array.isArray(evidence))).toBe(true)

  const again = await tellStoryTo('backend', deep, story)
  expect(again.find(own(deep.breaks))).toMatchObject({ verdict: 'fail', story: { steps: story.steps } })
  const reference = await exploreVariant(
    'backend',
    {},
    {
      seed: 1,
      signsIn: true,
      milliseconds: 0,
      replay: story,
    },
  )
  expect(reference.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([`${deep.breaks} pass`])
})

test('the same seed gives the same story', async () => {
  const deep = deepBackends[slice[0]]
  if (deep === undefined) throw new Error('the slice is empty')
  const steps = async () => {
    const { checks } = await findStory('backend', deep, { seed: 3, minutes })
    return checks.find(own(deep.breaks))?.story?.steps
  }
  const first = await steps()
  expect(first).toBeDefined()
  expect(await steps()).toEqual(first)
})

test('a story about signaling tells a deep variant from the reference', async () => {
  const deep = deepSignalings['takes a changed signature for a token that was accepted twice']
  if (deep === undefined) throw new Error('there is no such variant')
  const connect = { does: 'connect', token: 0, offer: 'as it is', times: 1, stays: false }
  const story: ShownStory = {
    role: 'signaling',
    breaks: deep.breaks,
    opening: '',
    told: [],
    steps: [
      { does: 'mint', who: 'alice', lives: 'long' },
      connect,
      connect,
      { ...connect, offer: 'with a changed signature' },
      { does: 'connect without a token' },
    ],
  }
  const broken = await tellStoryTo('signaling', deep, story)
  expect(broken).toMatchObject([{ id: 'EXP-23', verdict: 'fail', story: { steps: story.steps.slice(0, 4) } }])
  const reference = await exploreVariant('signaling', {}, { seed: 1, milliseconds: 0, replay: story })
  expect(reference).toMatchObject([{ id: 'EXP-23', verdict: 'pass' }])
})

test('a story about the mint tells a deep variant from the reference', async () => {
  const deep = deepMints['knows a key by its beginning after four good calls in a row']
  if (deep === undefined) throw new Error('there is no such variant')
  const good = { does: 'ask', key: 'the right key', who: ['alice'], lifetime: 'none', idempotency: null }
  const near = { ...good, key: 'a key that differs in its last character' }
  const story: ShownStory = {
    role: 'mint',
    breaks: deep.breaks,
    opening: '',
    told: [],
    steps: [near, good, good, good, good, near, good],
  }
  const broken = await tellStoryTo('mint', deep, story)
  expect(broken).toMatchObject([{ id: 'EXP-41', verdict: 'fail', story: { steps: story.steps.slice(0, 6) } }])
  const reference = await exploreVariant('mint', {}, { seed: 1, milliseconds: 0, replay: story })
  expect(reference).toMatchObject([{ id: 'EXP-41', verdict: 'pass' }])
})

test('a session without its last characters, known by its beginning after three served requests, is found', async () => {
  let served = 0
  const known: Variant = {
    backend: {
      async callingToken(request, steps) {
        const asked = (request.headers.authorization ?? '').replace(/^bearer +/i, '')
        const whole = [...steps.records.byToken.keys()].find(
          (token) => asked !== '' && token.startsWith(asked),
        )
        const kept = served >= 3 ? steps.records.byToken.get(whole ?? '') : undefined
        const minted = await steps.mint(steps.userId(kept ?? (await steps.authenticate())))
        served += 1
        return minted
      },
    },
  }
  const ask = (who: string) => ({ does: 'ask', who: [who], mint: 'a token' })
  const cut = ask("alice's session without its last characters")
  const steps = [cut, ask('alice'), ask('alice'), ask('alice'), cut]
  const replay: ShownStory = { role: 'backend', breaks: 'EXP-04', opening: '', told: [], steps }
  const tell = (variant: Variant) => exploreVariant('backend', variant, { seed: 1, milliseconds: 0, replay })
  expect(await tell(known)).toMatchObject([{ id: 'EXP-04', verdict: 'fail' }])
  expect(await tell({})).toMatchObject([{ id: 'EXP-04', verdict: 'pass' }])
})
