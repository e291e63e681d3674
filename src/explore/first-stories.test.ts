import { expect, test } from 'vitest'
import { createRandom } from '../base/seeded-random.ts'
import { makeFirstStories as makeBackendStories } from './backend/first-stories.ts'
import { answers, backendSteps, callers } from './backend/steps.ts'
import { makeFirstStories as makeMintStories } from './mint/first-stories.ts'
import { mintSteps, wrongKeys } from './mint/steps.ts'
import { makeFirstStories as makeSignalingStories } from './signaling/first-stories.ts'
import { offers, signalingSteps } from './signaling/steps.ts'

const runOf = (list: readonly string[], wanted: string) =>
  list.reduce((length, one) => (one === wanted ? length + 1 : 0), 0)

/** The longest run of one step at any place of a story. */
const longestRun = (list: readonly string[], wanted: string) =>
  Math.max(...list.map((_, place) => runOf(list.slice(0, place + 1), wanted)))

test('the first stories about a backend repeat each failure, and serve all callers behind it', () => {
  const stories = makeBackendStories({ present: callers, canSignOut: true }, createRandom(1))
  for (const story of stories) expect(backendSteps.parse(story)).toEqual(story)
  const reactions = stories.map((story) => story.map((step) => ('mint' in step ? step.mint : step.does)))
  for (const failure of answers.slice(2))
    expect(reactions.some((list) => longestRun(list, failure) >= 2 && list.at(-1) === 'a token')).toBe(true)
  const asked = stories.flat().flatMap((step) => (step.does === 'ask' ? step.who : []))
  expect(new Set(asked)).toEqual(new Set(callers))
})

test('the first stories about a backend with one user name only that user', () => {
  const stories = makeBackendStories({ present: ['alice', 'no session'], canSignOut: false }, createRandom(1))
  const asked = stories.flat().flatMap((step) => (step.does === 'ask' ? step.who : []))
  expect(new Set(asked)).toEqual(new Set(['alice', 'no session']))
})

test('the first stories about signaling repeat each rejected offer before a new token', () => {
  const stories = makeSignalingStories({ declaresUser: true, canExpire: true }, createRandom(1))
  for (const story of stories) expect(signalingSteps.parse(story)).toEqual(story)
  const offered = stories.map((story) => story.map((step) => ('offer' in step ? step.offer : step.does)))
  for (const offer of [...offers.slice(1), 'connect without a token'])
    expect(offered.some((list) => longestRun(list, offer) >= 2 && list.includes('as it is'))).toBe(true)
  expect(offered.some((list) => list.includes('expire'))).toBe(true)
})

test('the first stories about a mint repeat each key before a served request', () => {
  const stories = makeMintStories(wrongKeys, createRandom(1))
  for (const story of stories) expect(mintSteps.parse(story)).toEqual(story)
  const keys = stories.map((story) => story.map((step) => ('key' in step ? step.key : step.does)))
  for (const key of wrongKeys)
    expect(keys.some((list) => longestRun(list, key) >= 2 && list.includes('the right key'))).toBe(true)
})
