import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { ControlLost, Untested } from '../../base/inconclusive.ts'
import type { Invariant, InvariantId } from '../invariants.ts'
import { explore } from './explore.ts'
import type { Breach, Step, Subject } from './subject.ts'

const invariant = (id: string, level: Invariant['level'] = 'MUST'): Invariant => ({
  id,
  role: 'backend',
  level,
  clauses: [],
  title: 'is right',
  expected: '',
  fix: '',
  why: '',
  how: '',
  generalises: [],
})

/** An implementation whose stories are made of a and b; each of them has its turn. */
function fake({
  /** Which invariant the last of the taken steps breaks. */
  breaksAt = (_: readonly string[]): InvariantId | null => null,
  seen = {} as Pick<Breach, 'isProof' | 'isServed'>,
  /** Ordinary use before a story. */
  control = (): Breach | null => null,
}): Subject<Step> {
  return {
    role: 'backend',
    invariants: [invariant('EXP-01'), invariant('EXP-02'), invariant('EXP-03', 'SHOULD')],
    clock: systemClock,
    opening: '',
    neverSeconds: 0,
    pauseSeconds: 0.01,
    drawRound:
      ({ oneOf }) =>
      () => ({ does: oneOf(['a', 'b']) }),
    async tell(story) {
      const taken: string[] = []
      const kind = {
        async take({ does }: Step) {
          taken.push(does)
          const broken = breaksAt(taken)
          const breaches = broken === null ? [] : [{ ...seen, ...breachOf(broken) }]
          return { did: does, came: [], breaches }
        },
      }
      return await story({
        control: async () => control(),
        steps: { a: kind, b: kind },
        end: async () => ({ did: 'ends', came: [], breaches: [] }),
      })
    },
    unjudged: () => ({}),
    drain: () => [],
  }
}

const breachOf = (id: InvariantId): Breach => ({ invariant: id, saw: 'a 401', evidence: [] })

/** Explores until a story is found, or so many were told. */
async function exploreFor(subject: Subject<Step>, stories = 30) {
  const end = new AbortController()
  return await explore(subject, {
    seed: 1,
    milliseconds: 60_000,
    signal: end.signal,
    onStory: (count) => void (count >= stories && end.abort()),
    onFound: () => end.abort(),
  })
}

const atSecondB = (taken: readonly string[]) =>
  taken.at(-1) === 'b' && taken.filter((does) => does === 'b').length === 2 ? 'EXP-01' : null

/** Breaks it at the second step of some stories, counted from 1. */
function atTimes(isBroken: (time: number) => boolean, id: InvariantId = 'EXP-01') {
  let time = 0
  return (taken: readonly string[]) => {
    if (taken.length === 2) time += 1
    return taken.length === 2 && isBroken(time) ? id : null
  }
}

test('a story that breaks an invariant is made as short as it can be', async () => {
  const { found } = await exploreFor(fake({ breaksAt: atSecondB }))
  expect(found).toMatchObject([{ doubt: null, story: { steps: [{ does: 'b' }, { does: 'b' }] } }])
})

test('a violation that does not recur is in doubt', async () => {
  const { found } = await exploreFor(fake({ breaksAt: atTimes((time) => time === 1) }))
  expect(found).toMatchObject([{ doubt: 'the same steps broke nothing in a second run' }])
})

test('a doubt about what only warns is dropped', async () => {
  const { found } = await exploreFor(fake({ breaksAt: atTimes((time) => time === 1, 'EXP-03') }))
  expect(found).toEqual([])
})

test('a request that is served after a while breaks nothing', async () => {
  const told = async (isServed: () => Promise<boolean>) =>
    (await exploreFor(fake({ breaksAt: atSecondB, seen: { isServed } }))).found
  expect(await told(async () => true)).toEqual([])
  expect(await told(async () => false)).toMatchObject([{ doubt: null }])
})

/** Serves so many stories, and then no longer. */
function servesFor(stories: number) {
  let left = stories
  return () => {
    left -= 1
    return left < 0 ? breachOf('EXP-02') : null
  }
}

test('ordinary use that a story ends is a finding with that story', async () => {
  const explored = await exploreFor(fake({ control: servesFor(3) }))
  expect(explored).toMatchObject({ stories: 3, lost: null, ended: 'saw a 401' })
  expect(explored.found).toMatchObject([
    {
      doubt: expect.stringContaining('seen once'),
      story: { breach: { invariant: 'EXP-02', isProof: true } },
    },
  ])
  expect(explored.found[0]?.story.taken.at(-1)?.came).toEqual(['saw a 401'])
})

test('a proof needs no second telling where it leaves ordinary use broken', async () => {
  const breaksAt = (taken: readonly string[]) => (taken.length === 1 ? 'EXP-01' : null)
  const { found } = await exploreFor(fake({ breaksAt, seen: { isProof: true }, control: servesFor(1) }))
  expect(found).toMatchObject([
    { doubt: 'the steps could not be repeated: saw a 401', story: { breach: { invariant: 'EXP-01' } } },
    { story: { breach: { invariant: 'EXP-02' } } },
  ])
})

test('a budget that is used up ends the search, and lost controls lose it', async () => {
  const tellUntil = async (error: Error) => {
    let stories = 0
    const control = () => {
      stories += 1
      if (stories > 2) throw error
      return null
    }
    return await exploreFor(fake({ control }))
  }
  const used = { stories: 2, lost: null, ended: 'no tokens are left', found: [] }
  expect(await tellUntil(new Untested('no tokens are left'))).toMatchObject(used)
  expect(await tellUntil(new ControlLost('it is away'))).toMatchObject({ stories: 2, lost: 'it is away' })
})
