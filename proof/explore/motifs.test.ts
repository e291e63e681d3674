import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Minted } from '../../fixtures/backend/policy.ts'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { referenceSignalingPolicy } from '../../fixtures/signaling/policy.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { ExploredRole } from '../../src/requirement/explored-roles.ts'
import type { ShownStory } from '../../src/requirement/shown-story.ts'
import { exploreVariant } from './prove-found.ts'

interface Told {
  readonly role: ExploredRole
  readonly breaks: string
  readonly steps: ShownStory['steps']
}

const tell = ({ role, breaks, steps }: Told, variant: Variant) =>
  exploreVariant(role, variant, {
    seed: 1,
    milliseconds: 0,
    replay: { role, breaks, opening: '', told: [], steps },
  })

const ask = (who: string, mint: string) => ({ does: 'ask', who: [who], mint })

test("a second try that serves another user's request is found, and the reference passes", async () => {
  let ready: Minted | null = null
  const handsOn: Variant = {
    backend: {
      async tokenFor(userId, { mint }) {
        const kept = ready
        ready = null
        if (kept !== null) return kept
        try {
          return await mint(userId)
        } catch (failure) {
          ready = await mint(userId).catch(() => null)
          throw failure
        }
      },
    },
  }
  const story = {
    role: 'backend',
    breaks: 'EXP-03',
    steps: [ask('alice', 'one 503, then tokens'), ask('bob', 'a token')],
  } as const
  expect(await tell(story, handsOn)).toMatchObject([{ id: 'EXP-03', verdict: 'fail' }])
  expect(await tell(story, {})).toMatchObject([{ id: 'EXP-03', verdict: 'pass' }])
})

test('a verdict that belongs to the last of two clients is found, and a slow reference passes', async () => {
  const slow = (isShared: boolean): Variant => {
    let last: Promise<boolean> | undefined
    return {
      signaling: {
        async signatureHolds(_, _trust, usual) {
          const own = usual()
          last = own
          await setTimeout(300)
          return await (isShared ? last : own)
        },
      },
    }
  }
  const connect = { does: 'connect', times: 1, stays: false }
  const forged = { token: 0, offer: 'with a changed signature' }
  const genuine = { token: 1, offer: 'as it is' }
  const story = {
    role: 'signaling',
    breaks: 'EXP-23',
    steps: [
      { does: 'mint', who: 'alice', lives: 'long' },
      { does: 'mint', who: 'bob', lives: 'long' },
      { ...connect, ...forged, beside: genuine },
      { ...connect, ...genuine, beside: forged },
    ],
  } as const
  expect(await tell(story, slow(true))).toMatchObject([{ id: 'EXP-23', verdict: 'fail' }])
  expect(await tell(story, slow(false))).toMatchObject([{ id: 'EXP-23', verdict: 'pass' }])
})

test('a mint that names the last of two users is found, and a slow reference passes', async () => {
  const slow = (isShared: boolean): Variant => {
    let last = ''
    return {
      mint: {
        async token(claims, header, signing, grant) {
          last = grant.userId
          await setTimeout(300)
          const named = isShared ? { ...claims, sub: last } : claims
          return await referenceMintPolicy.token(named, header, signing, grant)
        },
      },
    }
  }
  const right = { does: 'ask', key: 'the right key', lifetime: 'none', idempotency: null }
  const steps = [{ ...right, who: ['alice', 'bob', 'alice'] }]
  const story = { role: 'mint', breaks: 'EXP-42', steps } as const
  expect(await tell(story, slow(true))).toMatchObject([{ id: 'EXP-42', verdict: 'fail' }])
  expect(await tell(story, slow(false))).toMatchObject([{ id: 'EXP-42', verdict: 'pass' }])
})

const askedFirst = { does: 'ask', who: ['alice'], mint: 'nothing yet' }
const flight = [
  ask('alice', '503'),
  askedFirst,
  { ...askedFirst, who: ['bob'] },
  { does: 'answer', which: 0, mint: 'a token' },
  { does: 'answer', which: 0, mint: 'a token' },
]

test('one flight for all behind a failure is found in a backend that is slow to call the mint, and two pass', async () => {
  const slow = (isShared: boolean): Variant => {
    const flights = new Map<string, Promise<Minted>>()
    let hasFailed = false
    return {
      backend: {
        async tokenFor(userId, { mint }) {
          await setTimeout(400)
          const key = isShared && hasFailed ? '' : userId
          const flying =
            flights.get(key) ??
            mint(userId)
              .catch((failure: unknown) => {
                hasFailed = true
                throw failure
              })
              .finally(() => flights.delete(key))
          flights.set(key, flying)
          return await flying
        },
      },
    }
  }
  const story = { role: 'backend', breaks: 'EXP-03', steps: flight } as const
  expect(await tell(story, slow(true))).toMatchObject([{ id: 'EXP-03', verdict: 'fail' }])
  expect(await tell(story, slow(false))).toMatchObject([{ id: 'EXP-03', verdict: 'pass' }])
})

test('a success without a token that comes once is a warning, since the story does not bring it again', async () => {
  let asked = 0
  const once: Variant = {
    backend: {
      async tokenFor(userId, { mint }) {
        asked += 1
        if (asked === 5) return { token: null, reply: { status: 200, statusText: '', headers: {}, body: '' } }
        return await mint(userId)
      },
    },
  }
  const steps = Array.from({ length: 4 }, () => ask('alice', 'a token'))
  expect(await tell({ role: 'backend', breaks: 'EXP-06', steps }, once)).toMatchObject([
    { id: 'EXP-06', verdict: 'warn', reason: null, remarks: [expect.stringContaining('broke nothing')] },
  ])
})

test('an expired token of the double that is returned once is a violation', async () => {
  let kept: Minted | null = null
  let isSpent = false
  const once: Variant = {
    backend: {
      async tokenFor(userId, { mint }) {
        try {
          kept = await mint(userId)
          return kept
        } catch (failure) {
          if (kept === null || isSpent) throw failure
          isSpent = true
          return kept
        }
      },
    },
  }
  const expired = [ask('alice', 'a token that soon expires'), { does: 'expire' }, ask('alice', '503')]
  const story = { role: 'backend', breaks: 'EXP-05', steps: expired } as const
  expect(await tell(story, once)).toMatchObject([
    { id: 'EXP-05', verdict: 'fail', remarks: [expect.any(String)] },
  ])
  expect(await tell(story, {})).toMatchObject([{ id: 'EXP-05', verdict: 'pass' }])
})

test('a lifetime that is granted once to another request is a violation', async () => {
  let isSpent = false
  let hasRejected = false
  const once: Variant = {
    mint: {
      answer(answer) {
        hasRejected ||= answer.status === 401
        return answer
      },
      lifetime(asked, ttl) {
        if (!hasRejected || isSpent) return referenceMintPolicy.lifetime(asked, ttl)
        isSpent = true
        return 4 * 3600
      },
    },
  }
  const right = { does: 'ask', key: 'the right key', who: ['alice'], lifetime: 'none', idempotency: null }
  const story = { role: 'mint', breaks: 'EXP-44', steps: [{ ...right, key: 'no key' }, right] } as const
  expect(await tell(story, once)).toMatchObject([
    { id: 'EXP-44', verdict: 'fail', remarks: [expect.any(String)] },
  ])
  expect(await tell(story, {})).toMatchObject([{ id: 'EXP-44', verdict: 'pass' }])
})

test('signaling that rejects the first client of all is explored', async () => {
  let isFirst = true
  const late: Variant = {
    signaling: {
      joinsAs(tokenUser, declared) {
        const joined = referenceSignalingPolicy.joinsAs(tokenUser, declared)
        if (joined === null || !isFirst) return joined
        isFirst = false
        return null
      },
    },
  }
  const steps = [{ does: 'mint', who: 'alice', lives: 'long' }]
  expect(await tell({ role: 'signaling', breaks: 'EXP-21', steps }, late)).toMatchObject([
    { id: 'EXP-21', verdict: 'pass' },
  ])
})

test('a capped key that is served behind a pause is found', async () => {
  let last = Number.NEGATIVE_INFINITY
  const forgets: Variant = {
    mint: {
      admit(project) {
        if (project.remainingMints !== 0) return referenceMintPolicy.admit(project)
        const passed = performance.now() - last
        last = performance.now()
        // The mint is first asked with pauses that are shorter.
        if (passed < 1_500) referenceMintPolicy.admit(project)
      },
    },
  }
  const capped = { does: 'ask', key: 'capped', who: ['alice'], lifetime: 'none', idempotency: null }
  const steps = [capped, { does: 'pause', milliseconds: 2_000 }, capped]
  const story = { role: 'mint', breaks: 'EXP-45', steps } as const
  expect(await tell(story, forgets)).toMatchObject([{ id: 'EXP-45', verdict: 'fail' }])
  expect(await tell(story, {})).toMatchObject([{ id: 'EXP-45', verdict: 'pass' }])
})
