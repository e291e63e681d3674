import { expect, test } from 'vitest'
import type { Reply } from '../base/http/client.ts'
import type { Interaction } from './interaction.ts'
import { type Attempt, retryFaults } from './retry-faults.ts'

const answer = (status: number) => ({ kind: 'answer', status, body: '', sent: '', exchange: 'x1' }) as Reply
const hang = { kind: 'no-answer', failure: 'timeout', message: 'did not answer within 10 s' } as Reply
const interaction = (number: number) => ({ number, status: 200 }) as Interaction

/** Answers each attempt of an interaction by its next reply. */
function provider(replies: Readonly<Record<number, readonly Reply[]>>) {
  const attempted: number[][] = []
  const attempt = (interactions: readonly Interaction[]): Promise<Attempt> => {
    attempted.push(interactions.map(({ number }) => number))
    return Promise.resolve(
      new Map(
        interactions.map((one) => {
          const reply = replies[one.number]?.[attempted.length - 1] ?? hang
          const ok = reply.kind === 'answer' && reply.status === 200
          return [
            one,
            {
              seen: { states: [], replies: [reply] },
              result: { description: '', ok, mismatches: [], error: null },
            },
          ]
        }),
      ),
    )
  }
  return { attempt, attempted }
}

const [first, second] = [interaction(1), interaction(2)]

test('attempts an answered interaction once', async () => {
  const { attempt, attempted } = provider({ 1: [answer(200)], 2: [answer(401)] })
  const result = await retryFaults([first, second], attempt)
  expect(attempted).toEqual([[1, 2]])
  expect(result.get(second)?.faultReturned).toBe(false)
})

test.each([
  ['503', answer(503)],
  ['no answer', hang],
])('a fault (%s) that goes away is forgotten', async (_, fault) => {
  const { attempt, attempted } = provider({ 1: [answer(200), answer(200)], 2: [fault, answer(200)] })
  const result = await retryFaults([first, second], attempt)
  expect(attempted).toEqual([
    [1, 2],
    [2, 1],
  ])
  expect(result.get(second)).toMatchObject({ faultReturned: false, result: { ok: true } })
})

test('a fault that comes back beside an answer belongs to its interaction', async () => {
  const { attempt } = provider({ 1: [answer(200), answer(200)], 2: [hang, hang] })
  expect((await retryFaults([first, second], attempt)).get(second)?.faultReturned).toBe(true)
})

test.each([
  ['the other fails as well', { 1: [answer(200), hang], 2: [hang, hang] }],
  ['there is no other', { 1: [hang, hang], 2: [hang, hang] }],
])('a fault that comes back accuses nothing where %s', async (_, replies) => {
  const { attempt } = provider(replies)
  expect((await retryFaults([first, second], attempt)).get(second)?.faultReturned).toBe(false)
})
