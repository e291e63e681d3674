import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { type Clock, systemClock } from '../base/clock.ts'
import { createJournal } from '../base/evidence/exchange.ts'
import { createRedactor } from '../base/evidence/redact.ts'
import { createBudget, usualBounds } from './budget.ts'
import { createProber } from './prober.ts'

async function probing(service: WebSocketServer, clock: Clock) {
  await once(service, 'listening')
  const prober = createProber({
    journal: createJournal(),
    redactor: createRedactor(),
    clock,
    runStart: clock.monotonic(),
    frameBytes: 1 << 20,
    budget: createBudget(usualBounds, clock),
  })
  const url = `ws://127.0.0.1:${(service.address() as AddressInfo).port}/`
  const join = { url, headers: [], protocols: [], opening: [], messages: [], after: 'open' } as const
  return { prober, join }
}

test('a service that never falls silent is watched for two windows, with few timers', async () => {
  let timers = 0
  const clock: Clock = {
    ...systemClock,
    until(instant, signal) {
      timers += 1
      return systemClock.until(instant, signal)
    },
  }
  const service = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  service.on('connection', (socket) => {
    const chatter = setInterval(() => Array.from({ length: 20 }, () => socket.send('and more')), 5)
    socket.on('close', () => clearInterval(chatter))
  })
  const { prober, join } = await probing(service, clock)
  const { end, isReached } = await prober.probe(join, { windowMs: 1_000, quietMs: 300 })
  service.close()
  expect({ end, isReached }).toEqual({ end: null, isReached: true })
  expect(timers).toBeLessThan(100)
})

test('a flood of frames is watched for 64 MB, not for the whole window, and little of it is kept', async () => {
  const service = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  const frame = 'a'.repeat(65_536)
  service.on('connection', (socket) => {
    const pump = () => {
      if (socket.readyState === socket.OPEN) socket.send(frame, pump)
    }
    pump()
  })
  const { prober, join } = await probing(service, systemClock)
  const { end, isReached, events } = await prober.probe(join, { windowMs: 600_000 })
  service.close()
  expect({ end, isReached }).toEqual({ end: null, isReached: true })
  expect(events.length).toBeLessThan(10)
})
