import { expect, test } from 'vitest'
import { type Block, createLimiter } from '../limiter.ts'
import { steppingClock } from '../testing/stepping-clock.ts'
import { createBlockWatch, replySigns } from './block-watch.ts'
import type { Reply } from './client.ts'

/** A service that refuses everyone for `blockMs` after so many rejected requests in ten seconds. */
function startService({ blockMs = 60_000, most = 30, rejection = 401, blockStatus = 403 }) {
  const { clock, settle } = steppingClock()
  let rejectedAt: number[] = []
  let blockedUntil = 0
  let asked = 0
  const answer = async (status: number, body: string): Promise<Reply> => {
    await clock.until(clock.monotonic() + 5)
    return { kind: 'answer', status, body, exchange: 'x1' } as Reply
  }
  const ask = async (isOrdinary: boolean): Promise<Reply> => {
    asked += 1
    const now = clock.monotonic()
    if (now < blockedUntil) return await answer(blockStatus, '<h1>Forbidden</h1>')
    if (isOrdinary) return await answer(200, '{"token":"t"}')
    rejectedAt = [...rejectedAt.filter((at) => at + 10_000 > now), now]
    if (rejectedAt.length > most) blockedUntil = now + blockMs
    return await answer(rejection, '{"error":"no"}')
  }
  return { clock, settle, ask, asked: () => asked }
}

function watching(service: ReturnType<typeof startService>, patienceSeconds = 20) {
  const { clock, ask } = service
  const over: Block[] = []
  const limiter = createLimiter(clock, { patienceSeconds })
  const watch = createBlockWatch({
    signs: replySigns,
    clock,
    limits: { patienceSeconds },
    askOrdinary: () =>
      limiter.send(
        () => ask(true),
        () => null,
        true,
      ),
    onOver: (block) => {
      over.push(block)
      limiter.noteBlock(block)
    },
  })
  const send = (isOrdinary: boolean) =>
    watch.send(() =>
      limiter.send(
        () => ask(isOrdinary),
        () => null,
      ),
    )
  return { watch, send, over, limiter }
}

const statusOf = (reply: Reply) => (reply.kind === 'answer' ? reply.status : 0)

test('a block is waited out once, and a pace is kept that leads to no other', async () => {
  const service = startService({})
  const { send, over, limiter } = watching(service)
  const attacks = Array.from({ length: 150 }, (_, place) => place % 4 === 0)
  const statuses = await service.settle(
    (async () => {
      const seen: number[] = []
      for (const isOrdinary of attacks) seen.push(statusOf(await send(isOrdinary)))
      return seen
    })(),
  )
  expect(statuses).toEqual(attacks.map((isOrdinary) => (isOrdinary ? 200 : 401)))
  expect(over).toEqual([{ seconds: 60, rejections: 32 }])
  expect(limiter.met()).toMatchObject({ repeated: 0, blocked: { seconds: 60, rejections: 32 } })
})

test('requests at the same time wait for the end of one block together', async () => {
  const service = startService({ most: 5 })
  const { send, over } = watching(service)
  const replies = await service.settle(
    Promise.all(Array.from({ length: 20 }, (_, place) => send(place % 2 === 0))),
  )
  expect(replies.map(statusOf)).toEqual(replies.map((_, place) => (place % 2 === 0 ? 200 : 401)))
  expect(over).toHaveLength(1)
})

test('a service that rejects by 403 is asked for something ordinary twice, and waited for never', async () => {
  const service = startService({ rejection: 403, most: 1_000 })
  const { send, over } = watching(service)
  for (let sent = 0; sent < 20; sent += 1) await service.settle(send(false))
  expect(service.asked()).toBe(22)
  expect(over).toEqual([])
})

test('a block without an end is waited for once', async () => {
  const service = startService({ blockMs: 10_000_000, most: 1 })
  const { send, over } = watching(service)
  for (let sent = 0; sent < 6; sent += 1) await service.settle(send(false))
  expect(service.clock.monotonic()).toBeGreaterThan(70_000)
  expect(service.clock.monotonic()).toBeLessThan(90_000)
  expect(over).toEqual([])
})

test('without patience no block is waited for', async () => {
  const service = startService({ most: 1 })
  const { send } = watching(service, 0)
  for (let sent = 0; sent < 3; sent += 1) await service.settle(send(false))
  expect(service.asked()).toBe(3)
})
