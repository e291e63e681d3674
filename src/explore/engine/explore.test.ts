import { expect, test } from 'vitest'
import { ControlLost, Untested } from '../../base/inconclusive.ts'
import { always } from './draw.ts'
import { explore, replay } from './explore.ts'
import { type Breach, type Invariant, NotServed, type Step, type Subject } from './subject.ts'

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

const breachOf = (id: string): Breach => ({ invariant: id, saw: '', expected: '', fix: '', evidence: [] })

interface FakeSubject {
  readonly subject: Subject<Step>
  /** The rounds of which steps were asked. */
  readonly rounds: number[]
}

/** An implementation that breaks an invariant at one kind of step, after so many of the steps before it. */
function subjectOf(
  breaksAt: (taken: readonly string[]) => string | null,
  { open = () => {}, ...seen }: { readonly open?: () => void } & Pick<Breach, 'isProof' | 'confirm'> = {},
): FakeSubject {
  const rounds: number[] = []
  const subject: Subject<Step> = {
    role: 'backend',
    invariants: [invariant('EXP-01'), invariant('EXP-02')],
    stories: { aRound: 1, shortest: 8, longest: 8 },
    makeSteps(round) {
      rounds.push(round)
      return [always({ does: 'a' }), always({ does: 'b' })]
    },
    makePlain: (step) => step,
    opening: '',
    async tell(story) {
      open()
      const taken: string[] = []
      return await story({
        canTake: () => true,
        async take({ does }) {
          taken.push(does)
          const broken = breaksAt(taken)
          const breaches: Breach[] = broken === null ? [] : [{ ...seen, ...breachOf(broken) }]
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

test('motifs are told before other stories, and those without time are named', async () => {
  const told: string[] = []
  const { subject } = subjectOf((taken) => {
    told.push(taken.join(''))
    return null
  })
  const interruption = new AbortController()
  const { motifs } = await explore(
    {
      ...subject,
      makeMotifs: () => [
        { name: 'twice', steps: [{ does: 'c' }, { does: 'c' }] },
        { name: 'once', steps: [{ does: 'c' }] },
      ],
    },
    {
      seed: 1,
      milliseconds: 60_000,
      signal: interruption.signal,
      onStory: () => interruption.abort(),
    },
  )
  expect(told).toEqual(['c', 'cc'])
  expect(motifs).toEqual({ told: ['twice'], untold: ['once'] })
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

test('the engine repeats a story whose fault needs every third turn', async () => {
  let times = 0
  const breaksInTurn = (taken: readonly string[]) => {
    if (taken.length === 2) times += 1
    return taken.length === 2 && times % 3 === 0 ? 'EXP-01' : null
  }
  const { subject } = subjectOf(breaksInTurn, { isProof: true })
  const interruption = new AbortController()
  const { found } = await explore(subject, {
    seed: 1,
    milliseconds: 60_000,
    signal: interruption.signal,
    onFound: () => interruption.abort(),
  })
  expect(found).toMatchObject([{ invariant: 'EXP-01', doubt: null }])
  expect(found[0]?.seenOnce).toBeUndefined()
})

test('a breach that only the implementation can cause accuses it though it is seen once', async () => {
  let times = 0
  const breaksOnce = (taken: readonly string[]) => {
    if (taken.length === 2) times += 1
    return taken.length === 2 && times === 1 ? 'EXP-01' : null
  }
  const { subject } = subjectOf(breaksOnce, { isProof: true })
  const interruption = new AbortController()
  const { found } = await explore(subject, {
    seed: 1,
    milliseconds: 60_000,
    signal: interruption.signal,
    onFound: () => interruption.abort(),
  })
  expect(found).toMatchObject([
    { doubt: null, seenOnce: 'the same story broke nothing when it was told again' },
  ])
})

test('a breach that was seen once is searched for until a story shows it again', async () => {
  let times = 0
  const breaks = (taken: readonly string[]) => {
    if (taken.length === 1) times += 1
    return taken.length === 1 && times === 1 ? 'EXP-01' : atSecondB(taken)
  }
  const { subject } = subjectOf(breaks, { isProof: true })
  const { found } = await explore(subject, { seed: 1, milliseconds: 60_000, stopsAt: 'EXP-01' })
  expect(found).toMatchObject([{ doubt: null, story: { steps: [{ does: 'b' }, { does: 'b' }] } }])
  expect(found[0]?.seenOnce).toBeUndefined()
})

/** Serves so many stories, and then throws. */
const openFor = (stories: number, error: Error) => () => {
  stories -= 1
  if (stories < 0) throw error
}

test.each([
  ['MUST', undefined],
  ['SHOULD', 'SHOULD'],
] as const)('ordinary use that a story ends is a finding with that story: %s', async (_, level) => {
  const error = new NotServed('it returned 401', { ...breachOf('EXP-02'), level })
  const { subject } = subjectOf(() => null, { open: openFor(3, error) })
  const explored = await explore(subject, { seed: 1, milliseconds: 60_000 })
  expect(explored).toMatchObject({ stories: 3, lost: null, ended: 'it returned 401' })
  expect(explored.found).toMatchObject([
    {
      invariant: 'EXP-02',
      doubt: null,
      seenOnce: expect.any(String),
      story: { breach: { level }, steps: { length: 8 } },
    },
  ])
  expect(explored.found[0]?.story.taken.at(-1)?.came).toEqual(['it returned 401'])
})

test('a breach that leaves ordinary use broken needs no second telling', async () => {
  const error = new NotServed('it returned 401', breachOf('EXP-02'))
  const { subject } = subjectOf((taken) => (taken.length === 3 ? 'EXP-01' : null), {
    open: openFor(1, error),
  })
  const { found, lost } = await explore(subject, { seed: 1, milliseconds: 60_000 })
  expect(lost).toBeNull()
  expect(found).toMatchObject([
    { invariant: 'EXP-02', doubt: null },
    { invariant: 'EXP-01', doubt: null, seenOnce: 'the story could not be told again: it returned 401' },
  ])
})

test('a story that a lost control cuts short is passed over', async () => {
  let times = 0
  const { subject } = subjectOf(() => null, {
    open() {
      times += 1
      if (times === 3) throw new ControlLost('it is away')
    },
  })
  const interruption = new AbortController()
  const { stories, lost } = await explore(subject, {
    seed: 1,
    milliseconds: 600_000,
    signal: interruption.signal,
    onStory: (count) => void (count === 5 && interruption.abort()),
  })
  expect({ stories, lost }).toEqual({ stories: 5, lost: null })
})

test('a replayed story is followed by ordinary use', async () => {
  const error = new NotServed('it returned 401', breachOf('EXP-02'))
  const { subject } = subjectOf(() => null, { open: openFor(1, error) })
  const { found } = await replay(subject, [{ does: 'a' }])
  expect(found).toMatchObject([{ invariant: 'EXP-02', story: { steps: [{ does: 'a' }] } }])
})

test('a budget that is used up ends the search, and a lost control loses it', async () => {
  const tellUntil = async (error: Error) =>
    await explore(subjectOf(() => null, { open: openFor(2, error) }).subject, {
      seed: 1,
      milliseconds: 60_000,
    })
  expect(await tellUntil(new Untested('no tokens are left'))).toMatchObject({
    stories: 2,
    lost: null,
    ended: 'no tokens are left',
    found: [],
  })
  expect(await tellUntil(new ControlLost('it is away'))).toMatchObject({ stories: 2, lost: 'it is away' })
})

test('a part that stops serving while it is first looked at is a finding', async () => {
  const error = new NotServed('it returned 401', breachOf('EXP-02'))
  const { subject } = subjectOf(() => null, { open: openFor(0, error) })
  const explored = await explore(subject, { seed: 1, milliseconds: 60_000 })
  expect(explored).toMatchObject({ stories: 0, lost: null, ended: 'it returned 401' })
  expect(explored.found).toMatchObject([{ invariant: 'EXP-02', doubt: null, story: { steps: [] } }])
})
