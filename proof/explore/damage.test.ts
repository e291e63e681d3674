import { expect, test } from 'vitest'
import { MintFailure } from '../../fixtures/backend/mint-client.ts'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { Refusal } from '../../fixtures/mint/refusal.ts'
import { referenceSignalingPolicy } from '../../fixtures/signaling/policy.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { ExploredRole } from '../../src/requirement/explored-roles.ts'
import type { ShownStory } from '../../src/requirement/shown-story.ts'
import { exploreVariant } from './prove-found.ts'

/** Counts failures; from the third on, the service is locked for so long. */
function createLock(milliseconds: number) {
  let failures = 0
  let until = 0
  return {
    /** Forgets all, as a restart would. */
    open() {
      failures = 0
      until = 0
    },
    fail() {
      failures += 1
      if (failures === 3) until = performance.now() + milliseconds
    },
    isLocked: () => performance.now() < until,
  }
}

type Lock = ReturnType<typeof createLock>

const forGood = Number.POSITIVE_INFINITY
const forAWhileMs = 4_000

const lockedMint = (lock: Lock): Variant => ({
  mint: {
    admit(project) {
      if (lock.isLocked()) throw new Refusal(401, 'invalid_key', 'this key is locked')
      referenceMintPolicy.admit(project)
    },
    answer(answer) {
      if (answer.status === 401) lock.fail()
      return answer
    },
  },
})

const lockedBackend = (lock: Lock): Variant => ({
  backend: {
    async tokenFor(userId, steps) {
      if (lock.isLocked()) throw new MintFailure('no slot is free')
      try {
        return await steps.mint(userId)
      } catch (failure) {
        lock.fail()
        throw failure
      }
    },
  },
})

const lockedSignaling = (lock: Lock): Variant => ({
  signaling: {
    async signatureHolds(_, _trust, usual) {
      const isSigned = await usual()
      if (!isSigned) lock.fail()
      return isSigned
    },
    joinsAs: (tokenUser, declared) =>
      lock.isLocked() ? null : referenceSignalingPolicy.joinsAs(tokenUser, declared),
  },
})

const wrong = { does: 'ask', key: 'no key', who: ['alice'], lifetime: 'none', idempotency: null }
const failing = { does: 'ask', who: ['alice'], mint: '503' }
const forged = { does: 'connect', token: 0, offer: 'with a changed signature', times: 1, stays: false }

interface Locked {
  readonly role: ExploredRole
  readonly breaks: string
  readonly make: (lock: Lock) => Variant
  readonly steps: ShownStory['steps']
}

const services: readonly Locked[] = [
  { role: 'mint', breaks: 'EXP-43', make: lockedMint, steps: [wrong, wrong, wrong] },
  { role: 'backend', breaks: 'EXP-07', make: lockedBackend, steps: [failing, failing, failing] },
  {
    role: 'signaling',
    breaks: 'EXP-21',
    make: lockedSignaling,
    steps: [{ does: 'mint', who: 'alice', lives: 'long' }, forged, forged, forged],
  },
]

async function tellOnce(
  { role, breaks, steps }: Locked,
  variant: Variant,
  options: { readonly restart?: () => Promise<void> } = {},
) {
  const replay: ShownStory = { role, breaks, opening: '', told: [], steps }
  return await exploreVariant(role, variant, { seed: 1, milliseconds: 0, replay, ...options })
}

const soon = { configuration: { limits: { neverSeconds: 2 } } }

test.each(services)(
  '$role that serves no user after three failures is found by its last story',
  async (one) => {
    const checks = await tellOnce(one, { ...one.make(createLock(forGood)), ...soon })
    expect(checks).toMatchObject([
      { id: one.breaks, verdict: 'fail', remarks: [expect.any(String)], story: { steps: one.steps } },
    ])
  },
)

test.each(services)('$role that a restart opens is found again by the same story', async (one) => {
  const lock = createLock(forGood)
  const checks = await tellOnce(
    one,
    { ...one.make(lock), ...soon },
    {
      restart: async () => lock.open(),
    },
  )
  expect(checks).toMatchObject([{ id: one.breaks, verdict: 'fail', story: { steps: one.steps } }])
  expect(checks[0]?.remarks).toBeUndefined()
})

test.each(services)('$role that pauses after three failures is not accused', async (one) => {
  const checks = await tellOnce(one, one.make(createLock(forAWhileMs)))
  expect(checks).toMatchObject([{ id: one.breaks, verdict: 'pass' }])
})
