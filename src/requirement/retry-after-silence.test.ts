import { expect, test } from 'vitest'
import { systemClock } from '../base/clock.ts'
import { createJournal } from '../base/evidence/exchange.ts'
import { createSecrets } from '../base/evidence/secrets.ts'
import { ControlLost } from '../base/inconclusive.ts'
import { defineCheck } from './define.ts'
import type { Judge } from './judge.ts'
import { createLanes } from './lanes.ts'
import { createOutages } from './outages.ts'
import { createSecondTries } from './rule.ts'
import { runCheck } from './run.ts'
import type { Session } from './session.ts'

/** A session with signaling that is silent in these of its answers, from 1; `asked` counts all. */
async function openFake(isSilent: (answer: number) => boolean, run = judgeJoin) {
  const journal = createJournal()
  const fake = { asked: 0, tries: 0, restarts: 0 }
  const join = async () => {
    fake.asked += 1
    const isLost = isSilent(fake.asked)
    const exchange = journal.record({
      kind: 'websocket',
      from: 'suite',
      to: 'signaling',
      at: 0,
      durationMs: 0,
      request: { url: 'wss://signaling.test', headers: [] },
      events: [],
      verdict: '',
      fault: isLost ? 'did not accept the connection within 6 s' : undefined,
      unavailable: isLost ? 'silent' : undefined,
    })
    if (isLost) throw new ControlLost('signaling did not accept the connection within 6 s', [exchange])
    return { exchange }
  }
  const offered: Readonly<Record<string, unknown>> = {
    signaling: { accepted: join },
    callingTokens: { fresh: async () => ({ jwt: 'a.b.c', userId: 'u' }) },
  }
  const parts = { available: (need: string) => offered[need] }
  const session = {
    clock: systemClock,
    journal,
    secrets: createSecrets(),
    lanes: createLanes(),
    onTurn: () => undefined,
    restart: async () => {
      fake.restarts += 1
      return true
    },
    secondTries: createSecondTries(),
    outages: createOutages(systemClock, 0),
    configuration: { mint: {} },
    contextFor: () => parts,
  } as unknown as Session
  const checkIn = (stage?: 'banning') =>
    defineCheck({
      id: 'SIG-99',
      level: 'MUST',
      kind: 'rejects',
      ...(stage && { stage }),
      clauses: ['4.3'],
      title: 't',
      why: 'w',
      how: { does: ['h'] },
      needs: [],
      async run(_, judge) {
        fake.tries += 1
        await run(join, judge)
      },
    })
  return { fake, run: (stage?: 'banning') => runCheck(checkIn(stage), session) }
}

type Join = () => Promise<{ readonly exchange: string }>

async function judgeJoin(join: Join, judge: Judge): Promise<void> {
  await join()
  judge.passed()
}

/** Judges one thing, and asks for another whose silence leaves that undecided. */
async function judgeAttack(join: Join, judge: Judge): Promise<void> {
  judge.passed()
  await join().then(
    () => judge.passed(),
    (error: unknown) => judge.undecided('no response for an attack', (error as ControlLost).evidence),
  )
}

test('a check that a slow part kept from a judgement is judged once more', async () => {
  const { fake, run } = await openFake((answer) => answer === 1)
  expect(await run()).toMatchObject({ verdict: 'pass', reason: null })
  expect(fake.tries).toBe(2)
})

test('a part that is silent to ordinary requests as well keeps the error, without a second try or more requests', async () => {
  const { fake, run } = await openFake(() => true)
  const reason = 'control failed: signaling did not accept the connection within 6 s'
  for (let count = 0; count < 10; count += 1) expect(await run()).toMatchObject({ verdict: 'error', reason })
  // The first has asked in its try and behind it, the second once more.
  expect(fake).toEqual({ tries: 1, asked: 3, restarts: 0 })
})

test('a part that may be down is started again before a check that may stop it', async () => {
  const { fake, run } = await openFake(() => fake.restarts === 0)
  expect(await run()).toMatchObject({ verdict: 'error' })
  expect(await run('banning')).toMatchObject({ verdict: 'pass' })
  expect(fake.restarts).toBe(1)
})

test('a part that is slow for as many checks as there are is asked again for each', async () => {
  // The first answer of each check is too late; then come three ordinary ones, and its second try.
  const { run } = await openFake((answer) => answer % 5 === 1)
  const verdicts = []
  for (let count = 0; count < 4; count += 1) verdicts.push((await run()).verdict)
  expect(verdicts).toEqual(['pass', 'pass', 'pass', 'pass'])
})

test('a check with one undecided request is judged once more, and stays untested where that is undecided as well', async () => {
  const slow = await openFake((answer) => answer === 1, judgeAttack)
  expect(await slow.run()).toMatchObject({ verdict: 'pass', reason: null })
  const silent = await openFake((answer) => answer === 1 || answer === 5, judgeAttack)
  expect(await silent.run()).toMatchObject({ verdict: 'untested', reason: 'no response for an attack' })
  expect([slow.fake.tries, silent.fake.tries]).toEqual([2, 2])
})

test('a look that came too late is made once more', async () => {
  const reason = 'the token had ended'
  const { fake, run } = await openFake(
    () => false,
    async (_: Join, judge: Judge) => judge.missed(reason),
  )
  expect(await run()).toMatchObject({ verdict: 'untested', reason })
  expect(fake.tries).toBe(2)
})
