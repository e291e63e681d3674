import { expect, test } from 'vitest'
import { connectingMs, waitingPatiently } from '../../base/answer-wait.ts'
import type { Clock } from '../../base/clock.ts'
import type { Connection } from './connection.ts'
import { decideOutcome } from './decide-outcome.ts'
import { createEventLog } from './event-log.ts'
import { quickProfile } from './testing/loopback.ts'

const deadlineMs = 6_000

/** An attempt at a service that takes the connection at this instant and then stays silent; its clock runs ahead of itself. */
async function attemptAt(acceptedAt: number) {
  let now = 0
  const clock: Clock = {
    monotonic: () => now,
    wall: () => now,
    async until(instant) {
      now = Math.max(now, instant)
    },
  }
  const isReached = () => now >= acceptedAt
  const connection: Connection = {
    log: createEventLog(clock, 1_000),
    stage: () => (isReached() ? 'upgrading' : 'connecting'),
    isReached,
    send: () => false,
    sendFrames: async () => 'ended',
    isCompressed: () => false,
    async [Symbol.asyncDispose]() {},
  }
  const join = {
    url: 'wss://signaling.test',
    headers: [],
    protocols: [],
    opening: [],
    messages: [],
    after: undefined,
  }
  const { summary } = await decideOutcome(connection, join as never, {
    profile: { ...quickProfile, settleMs: 0 },
    clock,
    deadlineMs,
    connectMs: connectingMs(deadlineMs),
  })
  return { summary, seconds: now / 1000 }
}

const never = Number.POSITIVE_INFINITY

test('a connection is waited for as long as an answer', async () => {
  expect(await attemptAt(never)).toEqual({ summary: 'did not accept the connection within 6 s', seconds: 6 })
})

test('a second try waits five times as long for a connection', async () => {
  const summary = 'did not accept the connection within 30 s'
  expect(await waitingPatiently(() => attemptAt(never))).toEqual({ summary, seconds: 30 })
})

test('a service that takes a connection late has the whole deadline for its answer', async () => {
  const summary = 'did not answer the upgrade within 6 s'
  expect(await waitingPatiently(() => attemptAt(13_000))).toEqual({ summary, seconds: 24 })
})
