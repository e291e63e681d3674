import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explore } from './explore.ts'
import type { Breach, Invariant, Step, Subject } from './subject.ts'

const invariant = (id: string): Invariant => ({
  id,
  role: 'backend',
  level: 'MUST',
  clauses: [],
  title: 'is right',
  why: '',
  how: '',
  generalises: [],
})

interface FakeSubject {
  readonly subject: Subject<Step>
  /** The rounds of which steps were asked. */
  readonly rounds: number[]
}

/** An implementation that breaks an invariant at one kind of step, after so many of the steps before it. */
function subjectOf(breaksAt: (taken: readonly string[]) => string | null): FakeSubject {
  const rounds: number[] = []
  const subject: Subject<Step> = {
    role: 'backend',
    invariants: [invariant('EXP-01'), invariant('EXP-02')],
    stories: { aRound: 1, shortest: 8, longest: 8 },
    makeSteps(round) {
      rounds.push(round)
      return [fc.constant({ does: 'a' }), fc.constant({ does: 'b' })]
    },
    makePlain: (step) => step,
    opening: '',
    async tell(story) {
      const taken: string[] = []
      return await story({
        canTake: () => true,
        async take({ does }) {
          taken.push(does)
          const broken = breaksAt(taken)
          const breaches: Breach[] =
            broken === null ? [] : [{ invariant: broken, saw: '', expected: '', fix: '', evidence: [] }]
          return { did: does, came: [], breaches }
        },
        end: async () => ({ did: 'ends', came: [], breaches: [] }),
      })
    },
    drain: () => [],
  }
  return { subject, rounds }
}

const atSecondB = (taken: readonly string[]) =>
  taken.at(-1) === 'b' && taken.filter((does) => does === 'b').length === 2 ? 'EXP-01' : null

test('a story is made shorter once the search is over', async () => {
  const told: string[] = []
  const { found } = await explore(subjectOf(atSecondB).subject, {
    seed: 1,
    milliseconds: 60_000,
    stopsAt: 'EXP-01',
    onFound: ({ invariant: id }) => told.push(`found ${id}`),
    onShorten: (count) => told.push(`${count} to be made shorter`),
  })
  expect(told).toEqual(['found EXP-01', '1 to be made shorter'])
  expect(found).toMatchObject([
    { invariant: 'EXP-01', doubt: null, story: { steps: [{ does: 'b' }, { does: 'b' }] } },
  ])
})

test('an interruption leaves the stories as they are', async () => {
  const interruption = new AbortController()
  const { found } = await explore(subjectOf((taken) => (taken.length === 5 ? 'EXP-01' : null)).subject, {
    seed: 1,
    milliseconds: 60_000,
    signal: interruption.signal,
    onFound: () => interruption.abort(),
  })
  expect(found).toMatchObject([{ doubt: null, story: { steps: { length: 5 } } }])
})

test('a round whose stories were all cut short comes again', async () => {
  const { subject, rounds } = subjectOf((taken) => (taken.length === 3 ? 'EXP-01' : null))
  const interruption = new AbortController()
  await explore(subject, {
    seed: 1,
    milliseconds: 60_000,
    signal: interruption.signal,
    onStory: (stories) => void (stories === 3 && interruption.abort()),
  })
  expect(rounds).toEqual([0, 0, 1])
})

test('a story that breaks nothing when it is told again accuses of nothing', async () => {
  const interruption = new AbortController()
  let times = 0
  const { subject } = subjectOf((taken) => {
    if (taken.length === 2) times += 1
    return taken.length === 2 && times === 1 ? 'EXP-01' : null
  })
  const { found } = await explore(subject, {
    seed: 1,
    milliseconds: 60_000,
    signal: interruption.signal,
    onStory: (stories) => void (stories === 3 && interruption.abort()),
  })
  expect(found).toMatchObject([
    { invariant: 'EXP-01', doubt: 'the same story broke nothing when it was told again' },
  ])
})

test('nor does one that breaks nothing any more when it is made shorter', async () => {
  let times = 0
  const { subject } = subjectOf((taken) => {
    if (taken.length === 2) times += 1
    return taken.length === 2 && times <= 2 ? 'EXP-01' : null
  })
  const { found } = await explore(subject, { seed: 1, milliseconds: 60_000, stopsAt: 'EXP-01' })
  expect(found).toMatchObject([
    { invariant: 'EXP-01', doubt: 'the same story broke nothing when it was told again' },
  ])
})
