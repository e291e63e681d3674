import { UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { hasExpiredOnTheWay } from './lib/reject-credentials.ts'
import { isTooLateFor } from './rejects-expired-token.ts'
import { whyNotWatched } from './rejects-missing-token.ts'
import { whyTooFewRejected } from './serves-users-during-refusals.ts'

// A look that comes too late shows nothing.

test.each([
  ['in time', 60, { due: 35, over: 35.4 }, false],
  ['in time, where the limit lies before the trial', 60, { due: 65, over: 65.9 }, false],
  ['behind the limit', 60, { due: 35, over: 62 }, true],
  ['long after it was due, the limit before both', 1, { due: 2, over: 15 }, true],
  ['long after it was due, the limit behind both', 30, { due: 2, over: 15 }, false],
])('SIG-06: a rejection %s', (_, limit, rejection, isLate) => {
  expect(isTooLateFor(limit, rejection)).toBe(isLate)
})

test.each([
  ['valid all the time', { exp: 400 }, 350_000, false],
  ['that ended before its rejection', { exp: 300 }, 350_000, true],
  ['that had ended before the first attack', { exp: 50 }, 350_000, false],
  ['without an end', {}, 350_000, false],
])('an attack with a token %s', (_, claims, decidedAt, isLate) => {
  const credential = { token: new UnsecuredJWT(claims).encode() }
  const clock = { wall: () => 1_000_000, monotonic: () => 1_000_000 }
  const made = { outcome: 'refused', decidedAt } as never
  expect(hasExpiredOnTheWay(credential, made, 100_000, clock)).toBe(isLate)
  const accepted = { outcome: 'accepted', decidedAt } as never
  expect(hasExpiredOnTheWay(credential, accepted, 100_000, clock)).toBe(false)
})

test.each([
  ['watched until the deadline', [100, 'timeout', 5000], null],
  ['that was let in late', [2100, 'timeout', 5000], expect.stringContaining('watched for 2.9 s only')],
  ['that the service closed', [2100, 'close', 2200], null],
] as const)('SIG-03: a silent client %s', (_, [openedAt, type, decidedAt], why) => {
  const events = [
    { type: 'open', at: openedAt },
    { type, at: decidedAt },
  ]
  expect(whyNotWatched({ outcome: 'refused', events, decidedAt, summary: 'was silent' } as never)).toEqual(
    why,
  )
})

test.each([
  ['that are answered', 40, 'close', null],
  ['of which one was too late', 39, 'close', expect.stringContaining('only 39 of 40')],
  ['that were all too late', 0, 'frame', expect.stringContaining('only 0 of 40')],
  ['that are rejected by silence', 0, 'timeout', null],
] as const)('SIG-32: offers %s', (_, answered, ofLast, why) => {
  const endedBy = (type: string) => ({ events: [{ type: 'open' }, { type }] }) as never
  const offered = Array.from({ length: 40 }, (_, at) => endedBy(at < answered ? 'close' : 'timeout'))
  expect(whyTooFewRejected(offered, endedBy(ofLast))).toEqual(why)
})
