import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { ControlLost } from '../base/inconclusive.ts'
import { defineCheck } from '../requirement/define.ts'
import { createJudge } from '../requirement/judge.ts'
import { createSharedJourney } from '../requirement/roles/shared-journey.ts'
import { runCheck } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import type { Journey } from '../roles/client/journey.ts'

/** Reads the journey in each of its tries; the first of `lostTries` lose their control behind it. */
function createReader(id: string, lostTries = 0) {
  const read: Journey[] = []
  const check = defineCheck({
    id,
    level: 'MUST',
    kind: 'positive',
    clauses: [],
    title: 't',
    why: 'w',
    how: { does: ['h'] },
    needs: ['journey'],
    async run({ journey }, judge) {
      read.push(await journey())
      if (read.length <= lostTries) throw new ControlLost('lost')
      judge.passed()
    },
  })
  return { read, check }
}

test('first tries judge one journey, each with its evidence; a second try drives its own', async () => {
  await using reference = await startReference({ variant: { client: { form: 'program' } }, withClient: true })
  await using session = await openSession(reference.configuration, {})
  const [one, other, again] = [createReader('CLI-97'), createReader('CLI-98'), createReader('CLI-99', 1)]
  const results = await Promise.all([one, other, again].map(({ check }) => runCheck(check, session)))

  expect(results.map(({ verdict }) => verdict)).toEqual(['pass', 'pass', 'pass'])
  const [first, second, third] = results.map(({ findings }) => findings[0]?.evidence ?? [])
  const calls = one.read[0]?.calls.map(({ exchange }) => exchange) ?? []
  expect(calls).toHaveLength(1)
  expect(first).toEqual(expect.arrayContaining(calls))
  expect(second).toEqual(first)
  expect(third?.filter((id) => first?.includes(id))).toEqual([])

  expect(other.read).toEqual(one.read)
  expect(new Set([...one.read, ...other.read, ...again.read]).size).toBe(2)
  expect(again.read[0]).toBe(one.read[0])
  expect(again.read[1]).not.toBe(one.read[0])
})

test('a journey that is lost is driven anew for those that come later', async () => {
  const shared = createSharedJourney(() => undefined)
  const reader = (checkId: string) => ({ checkId, judge: createJudge('MUST') })
  const lost = async () => Promise.reject(new ControlLost('the page crashed'))
  const journey = {} as Journey
  await expect(shared.read(reader('CLI-01'), lost)).rejects.toThrow('the page crashed')
  expect(await shared.read(reader('CLI-03'), async () => journey)).toBe(journey)
  expect(await shared.read(reader('CLI-16'), lost)).toBe(journey)
})
