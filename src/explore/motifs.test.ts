import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRandom } from '../base/seeded-random.ts'
import { makeMotifs as makeBackendMotifs } from './backend/motifs.ts'
import {
  answers,
  type BackendStep,
  backendSteps,
  type Caller,
  callers,
  liveCallers,
} from './backend/steps.ts'
import { makeMotifs as makeMintMotifs } from './mint/motifs.ts'
import { mintSteps, wrongKeys } from './mint/steps.ts'
import { makeMotifs as makeSignalingMotifs } from './signaling/motifs.ts'
import { offers, signalingSteps } from './signaling/steps.ts'

const runOf = (list: readonly string[], wanted: string) =>
  list.reduce((length, one) => (one === wanted ? length + 1 : 0), 0)

/** The longest run of one step at any place of a story. */
const longestRun = (list: readonly string[], wanted: string) =>
  Math.max(...list.map((_, place) => runOf(list.slice(0, place + 1), wanted)))

test('the motifs of stories about a backend repeat each failure, and serve all callers behind it', () => {
  const stories = makeBackendMotifs({ present: callers, canSignOut: true }, createRandom(1)).map(
    ({ steps }) => steps,
  )
  for (const story of stories) expect(backendSteps.parse(story)).toEqual(story)
  const reactions = stories.map((story) => story.map((step) => ('mint' in step ? step.mint : step.does)))
  for (const failure of answers.slice(2))
    expect(reactions.some((list) => longestRun(list, failure) >= 2 && list.at(-1) === 'a token')).toBe(true)
  const asked = stories.flat().flatMap((step) => (step.does === 'ask' ? step.who : []))
  expect(new Set(asked)).toEqual(new Set(callers))
})

test('each caller without a live session asks right behind each failure of the mint, which only live ones can meet', () => {
  const stories = makeBackendMotifs({ present: callers, canSignOut: true }, createRandom(1)).map(
    ({ steps }) => steps,
  )
  const asks = (step: BackendStep | undefined, who: Caller) =>
    step?.does === 'ask' && step.who.length === 1 && step.who[0] === who
  const isBehind = (failure: string, who: Caller) =>
    stories.some((story) =>
      story.some(
        (step, place) =>
          step.does === 'ask' &&
          step.mint === failure &&
          liveCallers.some((live) => step.who.includes(live)) &&
          asks(story[place + 1], who),
      ),
    )
  const dead = callers.filter((who) => !liveCallers.some((live) => live === who))
  const missing = answers.slice(2).flatMap((failure) => dead.filter((who) => !isBehind(failure, who)))
  expect(missing).toEqual([])
})

test('the motifs of stories about a backend with one user name only that user', () => {
  const stories = makeBackendMotifs(
    { present: ['alice', 'no session'], canSignOut: false },
    createRandom(1),
  ).map(({ steps }) => steps)
  const asked = stories.flat().flatMap((step) => (step.does === 'ask' ? step.who : []))
  expect(new Set(asked)).toEqual(new Set(['alice', 'no session']))
})

test('the motifs of stories about signaling repeat each rejected offer before a new token', () => {
  const stories = makeSignalingMotifs({ declaresUser: true, canExpire: true }, createRandom(1)).map(
    ({ steps }) => steps,
  )
  for (const story of stories) expect(signalingSteps.parse(story)).toEqual(story)
  const offered = stories.map((story) => story.map((step) => ('offer' in step ? step.offer : step.does)))
  for (const offer of [...offers.slice(1), 'connect without a token'])
    expect(offered.some((list) => longestRun(list, offer) >= 2 && list.includes('as it is'))).toBe(true)
  expect(offered.some((list) => list.includes('expire'))).toBe(true)
})

test('the motifs of stories about a mint repeat each key before a served request', () => {
  const stories = makeMintMotifs(wrongKeys, createRandom(1)).map(({ steps }) => steps)
  for (const story of stories) expect(mintSteps.parse(story)).toEqual(story)
  const keys = stories.map((story) => story.map((step) => ('key' in step ? step.key : step.does)))
  for (const key of wrongKeys)
    expect(keys.some((list) => longestRun(list, key) >= 2 && list.includes('the right key'))).toBe(true)
})

test('every motif is in docs/motifs.md', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/motifs.md'), 'utf8')
  const motifs = [
    ...makeBackendMotifs({ present: callers, canSignOut: true }, createRandom(1)),
    ...makeSignalingMotifs({ declaresUser: true, canExpire: true }, createRandom(1)),
    ...makeMintMotifs(wrongKeys, createRandom(1)),
  ]
  for (const { name } of motifs) expect(text).toContain(`| ${name.replace(/: .*|, of a user.*/, '')} |`)
})
