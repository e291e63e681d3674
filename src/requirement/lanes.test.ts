import { expect, onTestFinished, test } from 'vitest'
import { createLanes, type Held, type Lane, type Stage } from './lanes.ts'

/** Checks whose turns are told as they begin, and which end when they are told to. */
function createPlayed() {
  const lanes = createLanes()
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const settled: Promise<void>[] = []
  const endOf = (name: string) => {
    const end = ends.get(name) ?? Promise.withResolvers<void>()
    ends.set(name, end)
    return end
  }
  let isOver = false
  // Each check has its turns, whatever was waited for.
  onTestFinished(async () => {
    isOver = true
    for (const end of ends.values()) end.resolve()
    await Promise.allSettled(settled)
  })
  const turn = (name: string) => async () => {
    begun.push(name)
    if (!isOver) await endOf(name).promise
  }
  return {
    begun,
    /** @param play takes the turn; ends when `end` names it where absent */
    add(
      name: string,
      drives: readonly Lane[],
      stage: Stage = 'ordinary',
      play: (held: Held) => Promise<void> = turn(name),
      isTwice = false,
    ) {
      const run = async () => {
        using seat = lanes.seat({ lanes: drives, stage })
        await seat.take(play)
        if (isTwice) await seat.takeAgain(turn(`${name} again`))
      }
      const running = run()
      running.catch(() => undefined)
      settled.push(running)
    },
    turn,
    async end(...names: readonly string[]) {
      await new Promise((resolve) => setImmediate(resolve))
      for (const name of names) {
        endOf(name).resolve()
        await new Promise((resolve) => setImmediate(resolve))
      }
      return begun
    },
    all: () => Promise.all(settled),
  }
}

test('one check at a time drives a part, in their order; other parts go on', async () => {
  const { add, end, begun } = createPlayed()
  add('m1', ['mint'])
  add('m2', ['mint'])
  add('s1', ['signaling'])
  await end()
  expect(begun).toEqual(['m1', 's1'])
  expect(await end('m1')).toEqual(['m1', 's1', 'm2'])
})

test('a check that drives two parts comes behind those that drive one, and is not passed over', async () => {
  const { add, end, begun } = createPlayed()
  add('m1', ['mint'])
  add('both', ['mint', 'backend'])
  add('b1', ['backend'])
  add('b2', ['backend'], 'straining')
  await end()
  expect(begun).toEqual(['m1', 'b1'])
  await end('b1')
  expect(begun).toEqual(['m1', 'b1'])
  await end('m1', 'both', 'b2')
  expect(begun).toEqual(['m1', 'b1', 'both', 'b2'])
})

test('one that hands its lanes back comes first where it drives two parts', async () => {
  const { add, end, begun } = createPlayed()
  add('b0', ['backend'], 'expiry')
  add('b1', ['backend'], 'expiry in its lane')
  add('both', ['signaling', 'backend'], 'expiry')
  await end('b0', 'both', 'b1')
  expect(begun).toEqual(['b0', 'both', 'b1'])
})

test('six clients run at once', async () => {
  const { add, end, begun } = createPlayed()
  const names = Array.from({ length: 7 }, (_, place) => `c${place}`)
  for (const name of names) add(name, ['client'])
  await end()
  expect(begun).toEqual(names.slice(0, 6))
  await end(...names)
  expect(begun).toEqual(names)
})

test('the second try of a client is alone', async () => {
  const { add, end, begun } = createPlayed()
  add('c1', ['client'], 'ordinary', undefined, true)
  add('c2', ['client'])
  add('c3', ['client'], 'ordinary', undefined, true)
  await end('c1', 'c3')
  expect(begun).toEqual(['c1', 'c2', 'c3'])
  expect((await end('c2')).slice(3)).toEqual(['c1 again'])
  expect((await end('c1 again')).slice(4)).toEqual(['c3 again'])
})

test('lanes that are handed back are those of others, and are had again before those who wait', async () => {
  const { add, end, begun, turn } = createPlayed()
  add('s1', ['signaling'], 'expiry', async ({ handBack, inTurn }) => {
    begun.push('s1 begins')
    handBack()
    await turn('s1 waits')()
    await inTurn(async () => void begun.push('s1 looks'))
  })
  add('s2', ['signaling'])
  add('s3', ['signaling'])
  await end()
  expect(begun).toEqual(['s1 begins', 's1 waits', 's2'])
  await end('s1 waits')
  expect(begun).toEqual(['s1 begins', 's1 waits', 's2'])
  await end('s2')
  expect(begun.slice(3)).toEqual(['s1 looks', 's3'])
})

test('a straining check comes when no token of its lanes has to end any more', async () => {
  const { add, end, begun, turn } = createPlayed()
  add('s1', ['signaling'], 'expiry', async ({ handBack }) => {
    handBack()
    await turn('s1 waits')()
  })
  add('strain', ['signaling'], 'straining')
  add('b-strain', ['backend'], 'straining')
  await end()
  expect(begun).toEqual(['s1 waits', 'b-strain'])
  expect(await end('s1 waits')).toContain('strain')
})

test('a second try comes behind the first tries of its lanes, also where what strains waits for it', async () => {
  const { add, end, begun } = createPlayed()
  add('s1', ['signaling'], 'expiry', undefined, true)
  add('s2', ['signaling'])
  add('strain', ['signaling'], 'straining')
  await end('s1', 's2')
  expect(begun).toEqual(['s1', 's2', 's1 again'])
  await end('s1 again')
  expect(begun).toEqual(['s1', 's2', 's1 again', 'strain'])
})

test('ending and banning checks run alone, in their order, when all others are settled', async () => {
  const { add, end, begun } = createPlayed()
  add('m1', ['mint'], 'ordinary', undefined, true)
  add('rotates', ['signaling'], 'rotating')
  add('looks', [], 'looking')
  add('bans', ['mint'], 'banning')
  await end()
  expect(begun).toEqual(['m1'])
  await end('m1')
  expect(begun).toEqual(['m1', 'm1 again'])
  await end('m1 again', 'looks', 'bans', 'rotates')
  expect(begun).toEqual(['m1', 'm1 again', 'looks', 'bans', 'rotates'])
})

test('a check that throws gives its lanes back', async () => {
  const { add, end, begun, all } = createPlayed()
  add('m1', ['mint'], 'ordinary', () => Promise.reject(new Error('broken')))
  add('m2', ['mint'])
  await end('m2')
  expect(begun).toEqual(['m2'])
  await expect(all()).rejects.toThrow('broken')
})
