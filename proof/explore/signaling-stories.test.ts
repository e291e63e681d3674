import { expect, test } from 'vitest'
import { referenceSignalingPolicy } from '../../fixtures/signaling/policy.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { inheritingUser } from '../../suites/signaling/lib/variant-damage.ts'
import { exploreVariant } from './prove-found.ts'

const connect = { does: 'connect', token: 0, offer: 'as it is', times: 1, stays: false }
const forged = { ...connect, offer: 'with a changed signature' }

function replay(variant: Variant, breaks: string, steps: readonly { readonly does: string }[]) {
  const story = { role: 'signaling', breaks, opening: '', told: [], steps } as const
  return exploreVariant('signaling', variant, { seed: 1, milliseconds: 0, replay: story })
}

const soonExpired = [
  { does: 'mint', who: 'alice', lives: 'short' },
  connect,
  connect,
  { does: 'expire' },
  connect,
]
const leewaySeconds = 2

test('a verdict that outlives its token is found where signaling has a leeway', async () => {
  const joined = new Map<unknown, number>()
  const keepsVerdicts: Variant = {
    signaling: {
      leewaySeconds,
      expiryOf(claims) {
        const times = joined.get(claims['sub']) ?? 0
        joined.set(claims['sub'], times + 1)
        const exp = referenceSignalingPolicy.expiryOf(claims)
        return times >= 2 && typeof exp === 'number' ? exp + 3600 : exp
      },
    },
  }
  expect(await replay(keepsVerdicts, 'EXP-22', soonExpired)).toMatchObject([{ verdict: 'fail' }])
})

test('signaling that has a leeway of two seconds is not accused of it', async () => {
  const checks = await replay({ signaling: { leewaySeconds } }, 'EXP-22', soonExpired)
  expect(checks).toMatchObject([{ verdict: 'pass' }])
})

const behindRejection = [
  { does: 'mint', who: 'alice', lives: 'long' },
  { does: 'mint', who: 'bob', lives: 'long' },
  forged,
  { ...connect, token: 1 },
]
const undeclared = {
  configuration: { signaling: { profile: { declaredUser: { in: 'none', name: null } } } },
} as const

test('signaling whose next client is the rejected user is found where no user is declared', async () => {
  const inherits = { ...inheritingUser({ isDeclarationBelieved: true }), ...undeclared }
  expect(await replay(inherits, 'EXP-24', behindRejection)).toMatchObject([{ verdict: 'fail' }])
})

test('signaling that names each client by its token is not accused', async () => {
  const variant: Variant = { signaling: { joinsAs: (user) => user }, ...undeclared }
  expect(await replay(variant, 'EXP-24', behindRejection)).toMatchObject([{ verdict: 'pass' }])
})

/** Signaling that rejects expired tokens by another sign, as what came before says. */
function rejectsOtherwise(isOtherwise: (reasons: readonly string[]) => boolean): Variant {
  const reasons: string[] = []
  return {
    signaling: {
      joinsAs(user, declared) {
        reasons.push('accepted')
        return referenceSignalingPolicy.joinsAs(user, declared)
      },
      refuse(reason, announced) {
        const isOther = reason === 'expired' && isOtherwise(reasons)
        reasons.push(reason)
        return isOther ? { by: 'http', status: 400 } : announced
      },
    },
  }
}

const expiredBehindForged = [
  { does: 'mint', who: 'alice', lives: 'short' },
  { does: 'expire' },
  forged,
  connect,
]

test('another sign for an expired token right behind a tampered one is found', async () => {
  const variant = rejectsOtherwise((reasons) => reasons.at(-1) === 'invalid')
  expect(await replay(variant, 'EXP-25', expiredBehindForged)).toMatchObject([{ verdict: 'warn' }])
})

test('another sign that came once is not accused', async () => {
  let isOver = false
  const variant = rejectsOtherwise((reasons) => {
    const isFirst = !isOver && reasons.at(-1) === 'invalid'
    isOver ||= isFirst
    return isFirst
  })
  expect(await replay(variant, 'EXP-25', expiredBehindForged)).toMatchObject([{ verdict: 'pass' }])
})
