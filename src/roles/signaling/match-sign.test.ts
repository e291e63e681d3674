import { expect, test } from 'vitest'
import { systemClock } from '../../base/clock.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createRedactor } from '../../base/evidence/redact.ts'
import { createProfileConnector } from './profile-connector.ts'
import { quickProfile, startService } from './testing/loopback.ts'
import type { SignalingProfile } from './types.ts'

// A protocol that is no JSON, and that insists on its subprotocol.
const profile: SignalingProfile = {
  ...quickProfile,
  subprotocols: ['words.v1'],
  carriage: { in: 'message', template: 'AUTH {jwt}', after: { text: { startsWith: 'HELLO' } } },
  success: [{ text: { startsWith: '+OK' } }],
  failure: [{ text: { startsWith: '-ERR' } }],
  unauthorized: [{ text: { startsWith: "-ERR '401" } }],
}

test('frames that are no JSON are told by how they begin', async () => {
  await using service = await startService({
    status: ({ headers }) => (headers['sec-websocket-protocol'] === 'words.v1' ? 101 : 400),
    open: (socket) => {
      socket.send('+NOTYET')
      socket.send('HELLO stranger')
    },
    message: (socket, text) => socket.send(text === 'AUTH good' ? '+OK' : "-ERR '401 no'"),
  })
  const driver = createProfileConnector({
    url: service.url,
    profile,
    journal: createJournal(),
    redactor: createRedactor(),
    clock: systemClock,
    frameBytes: 4096,
  })
  const good = await driver.attempt({ token: 'good' })
  expect(good).toMatchObject({ outcome: 'accepted', summary: 'was accepted: a frame that begins with "+OK"' })
  if (good.outcome === 'accepted') await good.socket[Symbol.asyncDispose]()
  expect(await driver.attempt({ token: 'bad' })).toMatchObject({
    outcome: 'refused',
    named: true,
    unauthorized: true,
    summary: 'answered with a frame that begins with "-ERR"',
  })
  expect(await driver.attempt({ token: null })).toMatchObject({ outcome: 'refused', named: true })
})
