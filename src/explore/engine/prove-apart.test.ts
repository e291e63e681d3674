import { expect, test } from 'vitest'
import type { Found } from './found.ts'
import { proveApart } from './prove-apart.ts'
import type { Breach, Step, Subject } from './subject.ts'
import type { ToldStory } from './tell-story.ts'

const breach: Breach = { invariant: 'EXP-01', saw: '', expected: '', fix: '', evidence: [] }

/** A part that breaks its invariant at its fourth step "a", and each step behind it, until it is started anew. */
function rememberingSubject() {
  let taken = 0
  const subject: Subject<Step> = {
    role: 'backend',
    invariants: [],
    stories: { aRound: 1, shortest: 1, longest: 1 },
    makeSteps: () => [],
    makePlain: (step) => step,
    commands: [],
    commandOf: ({ does }) => does,
    opening: '',
    recovery: {
      by: 'a restart',
      async run() {
        taken = 0
      },
    },
    tell: async (story) =>
      await story({
        canTake: () => true,
        async take({ does }) {
          if (does === 'a') taken += 1
          return { did: does, came: [], breaches: taken < 4 ? [] : [breach] }
        },
        end: async () => ({ did: 'ends', came: [], breaches: [] }),
      }),
    drain: () => [],
  }
  return subject
}

const stepsOf = (count: number): Step[] => Array.from({ length: count }, () => ({ does: 'a' }))

function foundIn(steps: readonly Step[], before: readonly (readonly Step[])[] = []): Found<Step> {
  const story: ToldStory<Step> = {
    steps,
    skipped: [],
    taken: [],
    breach,
    isConfirmed: null,
    lookMs: 0,
    exchanges: [],
  }
  return { invariant: 'EXP-01', story, doubt: null, before }
}

test('the proof repeats the whole story where the shorter one breaks nothing', async () => {
  const found = { long: foundIn(stepsOf(5)), short: foundIn(stepsOf(1)) }
  const { story, doubt, seenOnce } = await proveApart(rememberingSubject(), found, undefined)
  expect({ steps: story.steps.length, earlier: story.earlier, doubt, seenOnce }).toEqual({
    steps: 4,
    earlier: undefined,
    doubt: null,
    seenOnce: undefined,
  })
})

test('the proof leaves out steps of the whole story that a restarted part does not need', async () => {
  const steps = ['a', 'b', 'a', 'b', 'b', 'a', 'a'].map((does) => ({ does }))
  const found = { long: foundIn(steps), short: foundIn(stepsOf(1)) }
  const { story } = await proveApart(rememberingSubject(), found, undefined)
  expect(story.steps).toEqual(stepsOf(4))
})

test('a story that needs the ones before it comes with the fewest of them', async () => {
  const before = [stepsOf(1), stepsOf(1), stepsOf(1), stepsOf(1)]
  const found = { long: foundIn(stepsOf(2), before), short: foundIn(stepsOf(1)) }
  const { story } = await proveApart(rememberingSubject(), found, undefined)
  expect(story).toMatchObject({ steps: stepsOf(2), earlier: [stepsOf(1), stepsOf(1)] })
  expect(story.taken.map(({ did }) => did)).toEqual([
    'a',
    'ends',
    'the next story begins: ',
    'a',
    'ends',
    'the next story begins: ',
    'a',
    'a',
  ])
})

test('a story that a restarted part does not break keeps its verdict with a remark', async () => {
  const found = { long: foundIn(stepsOf(1)), short: foundIn(stepsOf(1)) }
  expect(await proveApart(rememberingSubject(), found, undefined)).toMatchObject({
    doubt: null,
    seenOnce: expect.stringContaining('restart'),
  })
})
