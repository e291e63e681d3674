import { expect, test } from 'vitest'
import { createJournal } from '../../base/evidence/exchange.ts'
import type { Carriage } from './carriages/registry.ts'
import { error401, good, outcomeOf, signalingAt, welcome } from './testing/attempts.ts'
import { startService } from './testing/loopback.ts'

test.each<[string, Parameters<typeof startService>[0], 'signaling' | null]>([
  ['a status', { status: () => 401 }, 'signaling'],
  ['a close code', { open: (socket) => socket.close(4403, 'banned') }, 'signaling'],
  ['a frame', { open: (socket) => socket.send(error401) }, 'signaling'],
  ['an overload', { status: () => 503 }, null],
  ['a success', { open: (socket) => socket.send(welcome) }, null],
])('notes a rejection of the client: %s', async (_, service, party) => {
  await using started = await startService(service)
  const journal = createJournal()
  const made = await signalingAt(started, {}, { journal }).attempt({ token: good })
  expect(journal.rejectedIn(made.exchange)).toBe(party)
  if (made.outcome === 'accepted') await made.socket[Symbol.asyncDispose]()
})

test('says where nothing reached the service', async () => {
  const gone = await startService({})
  await gone[Symbol.asyncDispose]()
  expect(await signalingAt(gone).attempt({ token: good })).toMatchObject({
    outcome: 'refused',
    named: false,
    unreachable: true,
    summary: 'refused the connection',
  })
})

test.each([
  ['chooses none', false],
  ['chooses one that was not offered', 'other'],
] as const)('accepts a service that, of the offered subprotocols, %s', async (_, subprotocol) => {
  await using service = await startService({ subprotocol, open: (socket) => socket.send(welcome) })
  const carriage: Carriage = { in: 'subprotocol', protocols: ['bearer.{jwt}'] }
  expect(await outcomeOf(signalingAt(service, { carriage }), good)).toMatchObject({ outcome: 'accepted' })
})

test('does not call it a refusal when a credential cannot be sent', async () => {
  await using service = await startService({})
  const carriage: Carriage = { in: 'subprotocol', protocols: ['v1', '{jwt}'] }
  const attempt = await signalingAt(service, { carriage }).attempt({ token: 'a/b=' })
  expect(attempt).toMatchObject({ outcome: 'untestable', events: [] })
  expect(attempt.summary).toBe('was not contacted: the value is not legal as a subprotocol')
})
