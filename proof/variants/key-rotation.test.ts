import { expect, test } from 'vitest'
import type { SignalingPolicy } from '../../fixtures/signaling/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { type Clock, systemClock } from '../../src/base/clock.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'
import rotation from '../../suites/signaling/records-key-rotation.ts'
import servesOthers from '../../suites/signaling/serves-users-during-refusals.ts'
import sparesOthers from '../../suites/signaling/spares-others-at-the-end.ts'
import { judge, judgeTogether } from './testing/prove.ts'

test.each([
  ['a published key', {}],
  [
    'a shared secret',
    {
      mint: { algorithm: 'HS256' },
      signaling: { algorithms: ['HS256'] },
      configuration: { token: { jwks: null } },
    },
  ],
] as const)('the reference replaces %s when it is told to, and forgets the old one', async (_, variant) => {
  const { verdict, observations } = await judge(rotation, variant)
  expect(verdict).toBe('info')
  expect(observations).toEqual({
    'signaling.keyIdAfterRotation': 'another',
    'signaling.newKeyAccepted': expect.stringMatching(/^after/),
    'signaling.removedKeyRejected': expect.stringMatching(/^after/),
  })
})

/** Signaling that looks a new key up so many milliseconds after the first token of it, as behind the cooldown of a key set. */
function learningAfter(ms: number) {
  let known: unknown
  let askedAt = Number.POSITIVE_INFINITY
  const keyFor: SignalingPolicy['keyFor'] = (header, trust) => {
    known ??= header['kid']
    if (header['kid'] !== known) askedAt = Math.min(askedAt, performance.now())
    if (header['kid'] !== known && performance.now() < askedAt + ms) throw new Error('no such key')
    return trust.key(header)
  }
  return { keyFor }
}

test('a key set that is asked for rarely delays the rotation, and no other requirement', async () => {
  const checks = [rotation, servesOthers, sparesOthers]
  const results = await judgeTogether(checks, { signaling: learningAfter(17_000) })
  expect(results.map(({ id, verdict }) => [id, verdict])).toEqual([
    ['SIG-35', 'pass'],
    ['SIG-32', 'pass'],
    ['SIG-30', 'info'],
  ])
  expect(results.at(-1)?.observations).toMatchObject({
    'signaling.newKeyAccepted': expect.stringMatching(/^after (?:1[7-9]|[2-6]\d)/),
    'signaling.removedKeyRejected': expect.stringMatching(/^after/),
  })
})

/** A clock that skips what is waited for. The wall may stand still, so that no kept token expires. */
function skippingClock({ wallStands }: { readonly wallStands: boolean }): Clock {
  let skippedMs = 0
  const clock: Clock = {
    ...systemClock,
    wall: () => systemClock.wall() + (wallStands ? 0 : skippedMs * 100),
    monotonic: () => systemClock.monotonic() + skippedMs,
    async until(instant, signal) {
      // Deadlines of answers are given up by a signal.
      if (signal === undefined) skippedMs += Math.max(0, instant - clock.monotonic())
      else await systemClock.until(instant - skippedMs, signal)
    },
  }
  return clock
}

/** Signaling that trusts no key from the first token of a second one on. */
function forgettingAll(): Partial<SignalingPolicy> {
  let known: unknown
  return {
    keyFor(header, trust) {
      known ??= header['kid']
      if (header['kid'] !== known) known = 'none'
      if (known === 'none') throw new Error('no such key')
      return trust.key(header)
    },
  }
}

test.each([
  ['is recorded so', true, 'before the new key was accepted'],
  ['shows nothing of kept tokens that expired', false, undefined],
])('signaling that accepts neither old nor new tokens %s', async (_, wallStands, removedKeyRejected) => {
  await using reference = await startReference({ variant: { signaling: forgettingAll() } })
  const clock = skippingClock({ wallStands })
  await using session = await openSession(reference.configuration, { clock })
  const { verdict, reason, observations } = await runCheck(rotation, session)
  expect(reason).toBeNull()
  expect(verdict).toBe('info')
  expect(observations['signaling.newKeyAccepted']).toBe('not within 65 s')
  expect(observations['signaling.removedKeyRejected']).toBe(removedKeyRejected)
})
