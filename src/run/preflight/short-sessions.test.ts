import { expect, test } from 'vitest'
import type { ConfiguredSession } from '../../roles/backend/types.ts'
import { findShortSessions } from './short-sessions.ts'

const now = 1_700_000_000_000
const clock = { wall: () => now, monotonic: () => 0, until: async () => undefined }
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
/** A session that says in its claims when it ends. */
const livesFor = (seconds: number, everySeconds?: number): ConfiguredSession => ({
  token: `${encoded({ alg: 'HS256' })}.${encoded({ exp: now / 1000 + seconds })}.${encoded({ signed: true })}`,
  userId: 'u',
  ...(everySeconds === undefined ? {} : { renewal: { command: 'login', everySeconds, obtainedAt: now } }),
})

const messagesFor = (alice: ConfiguredSession) =>
  findShortSessions({ url: 'https://a.example', method: 'POST', sessions: { alice } }, clock).map(
    ({ message, fatal }) => `${fatal} ${message}`,
  )

test.each([
  [
    'ends in a run',
    livesFor(60),
    'false backend.sessions.alice ends in 60 s; expected a session that outlives',
  ],
  [
    'ends when a run has hardly begun',
    livesFor(20),
    'true backend.sessions.alice ends in 20 s; expected a session that outlives',
  ],
  [
    'ends before it is renewed',
    livesFor(20, 45),
    'lives 20 s, and is renewed every 45 s; expected a renewal',
  ],
])('a session that %s is named', (_, session, expected) => {
  expect(messagesFor(session).join()).toContain(expected)
})

test.each([
  ['outlives a run', livesFor(3600)],
  ['is renewed in time', livesFor(20, 12)],
  ['has ended already, which the backend says', livesFor(-5)],
  ['says nothing', { token: 'opaque-session', userId: 'u' }],
])('a session that %s is not', (_, session) => {
  expect(messagesFor(session)).toEqual([])
})
