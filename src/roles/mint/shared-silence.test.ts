import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, test } from 'vitest'
import { createSharedSilence, type SilentTurn } from './shared-silence.ts'

/** A double that tells what happens to it. */
function doubleOf(log: string[]) {
  const double = { answer: () => void log.push('silent') }
  let turns = 0
  const hold = async (run: (scripted: typeof double) => Promise<void>) => {
    turns += 1
    await run(double)
    log.push('over')
  }
  return { silence: createSharedSilence<typeof double>(hold), turns: () => turns }
}

const turnOf = (log: string[], name: string, strains?: true): SilentTurn<unknown, string> => ({
  ...(strains && { strains }),
  async before() {
    await new Promise(setImmediate)
    log.push(`${name} before`)
  },
  async during(_, letOthersAsk) {
    log.push(`${name} asks`)
    letOthersAsk()
    await new Promise(setImmediate)
    log.push(`${name} answered`)
    return name
  },
})

test('all who join at once share one silence; what strains the backend asks last, and all end together', async () => {
  const log: string[] = []
  const { silence, turns } = doubleOf(log)
  const names = await Promise.all([
    silence.join(turnOf(log, 'flood', true)),
    silence.join(turnOf(log, 'single')),
  ])
  expect(names).toEqual(['flood', 'single'])
  expect(turns()).toBe(1)
  expect(log).toEqual([
    'flood before',
    'single before',
    'silent',
    'single asks',
    'flood asks',
    'single answered',
    'flood answered',
    'over',
  ])
})

test('others ask at the end of one that does not let them ask before', async () => {
  const log: string[] = []
  const { silence } = doubleOf(log)
  const alone = turnOf(log, 'alone')
  await Promise.all([
    silence.join({ ...alone, during: (double) => alone.during(double, () => undefined) }),
    silence.join(turnOf(log, 'other')),
  ])
  expect(log.slice(3)).toEqual(['alone asks', 'alone answered', 'other asks', 'other answered', 'over'])
})

test('who fails, before or meanwhile, fails alone', async () => {
  const log: string[] = []
  const { silence } = doubleOf(log)
  const control = { ...turnOf(log, 'a'), before: () => Promise.reject(new Error('no control')) }
  const broken = { ...turnOf(log, 'b'), during: () => Promise.reject(new Error('broken')) }
  const results = await Promise.allSettled([
    silence.join(control),
    silence.join(broken),
    silence.join(turnOf(log, 'c')),
  ])
  expect(results).toEqual([
    { status: 'rejected', reason: new Error('no control') },
    { status: 'rejected', reason: new Error('broken') },
    { status: 'fulfilled', value: 'c' },
  ])
  expect(log).not.toContain('a asks')
})

test('each acts in the context in which it joined, and a later one has a silence of its own', async () => {
  const log: string[] = []
  const { silence, turns } = doubleOf(log)
  const context = new AsyncLocalStorage<string>()
  const join = (name: string) =>
    context.run(name, () =>
      silence.join({ before: async () => undefined, during: async () => context.getStore() }),
    )
  expect(await Promise.all([join('one'), join('two')])).toEqual(['one', 'two'])
  expect(await join('later')).toBe('later')
  expect(turns()).toBe(2)
})
