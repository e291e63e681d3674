import { expect, test } from 'vitest'
import { deepBackends } from '../../fixtures/explore/variants/backend.ts'
import { Refusal, referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { referenceSignalingPolicy } from '../../fixtures/signaling/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { exploreRole } from '../../src/explore/explore-role.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { ExploredRole } from '../../src/requirement/explored-roles.ts'
import type { ShownStory } from '../../src/requirement/shown-story.ts'
import { exploreVariant, findStory, tellStoryTo } from './prove-found.ts'

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

const askMint = { does: 'ask', key: 'the right key', who: ['alice'], lifetime: 'none', idempotency: null }

const replayMint = (variant: Variant, breaks: string, steps: Told['steps']) =>
  tell({ role: 'mint', breaks, steps }, variant)

test('a mint that bans for some requests after a wrong key is not accused', async () => {
  let left = 0
  const bans: Variant = {
    mint: {
      admit(project) {
        left -= 1
        if (left >= 0) throw new Refusal(401, 'invalid_key', 'banned')
        referenceMintPolicy.admit(project)
      },
      answer(answer, { headers }) {
        if (headers.authorization === undefined) left = 3
        return answer
      },
    },
  }
  const checks = await replayMint(bans, 'EXP-43', [{ ...askMint, key: 'no key' }, askMint, askMint])
  expect(checks).toMatchObject([{ id: 'EXP-43', verdict: 'pass' }])
})

/** Tells the story to a mint whose hook revokes the key of another project. */
async function replayRevoking(variant: Variant, steps: readonly { readonly does: string }[]) {
  await using reference = await startReference({ variant })
  const { mint, hooks, ...rest } = reference.configuration
  const key = mint?.otherProjectKey
  if (mint === undefined || key === undefined || hooks.revokeKey === undefined)
    throw new Error('the reference has no key to revoke')
  const configuration = {
    ...rest,
    mint: { ...mint, otherProjectKey: undefined },
    hooks: { ...hooks, revokeKey: { ...hooks.revokeKey, key } },
  }
  const story = { role: 'mint', breaks: 'EXP-45', opening: '', told: [], steps } as const
  const options = { seed: 1, milliseconds: 0, replay: story, environment: {}, ...reference.session }
  const { checks } = await exploreRole('mint', configuration, options)
  return checks
}

test('a revoked key that stays rejected is no finding', async () => {
  const steps = [askMint, { ...askMint, key: 'revoked' }, askMint]
  expect(await replayRevoking({}, steps)).toMatchObject([{ id: 'EXP-45', verdict: 'pass' }])
})

const askCapped = { ...askMint, key: 'capped' }

/** Rejects the key at its cap at every other request, and says for how long. */
function capping(retryAfterSeconds: number): Variant {
  let count = 0
  return {
    mint: {
      admit({ remainingMints, ...project }) {
        referenceMintPolicy.admit({ ...project, remainingMints: null })
        count += remainingMints === null ? 0 : 1
        if (remainingMints !== null && count % 2 === 1)
          throw new Refusal(429, 'mint_cap_reached', 'the cap is reached', {
            'retry-after': String(retryAfterSeconds),
          })
      },
    },
  }
}

test('a cap that ends within the second that it announces is no finding, and one that serves long before warns', async () => {
  const asked = [askCapped, askCapped, askCapped]
  expect(await replayMint(capping(1), 'EXP-45', asked)).toMatchObject([{ id: 'EXP-45', verdict: 'pass' }])
  expect(await replayMint(capping(60), 'EXP-45', asked)).toMatchObject([{ id: 'EXP-45', verdict: 'warn' }])
})

/** Ends all tokens at marks. Once a key was rejected, its clock passes the time from which the next mark is the end. */
function aligned(mark: number, mint: Variant['mint'] = {}): Variant {
  const first = Math.ceil(Date.now() / 1000 / mark) * mark - referenceMintPolicy.ttl.defaultSeconds
  let now = first - 1
  return {
    mint: {
      now: () => now * 1000,
      claims: (grant, { issuedAt, expiresAt }, tools) =>
        referenceMintPolicy.claims(grant, { issuedAt, expiresAt: Math.ceil(expiresAt / mark) * mark }, tools),
      answer(answer) {
        if (answer.status === 401) now = first + 1
        return answer
      },
      ...mint,
    },
  }
}

const tellAligned = (mark: number, mint?: Variant['mint']) =>
  replayMint(aligned(mark, mint), 'EXP-44', [
    askMint,
    { ...askMint, key: 'no key', lifetime: 'long' },
    askMint,
  ])

test.each([300, 600, 3600])('a mint that ends all tokens at marks of %i s is not accused', async (mark) => {
  expect(await tellAligned(mark)).toMatchObject([{ id: 'EXP-44', verdict: 'pass' }])
})

/** Longer than a test may take. */
const endsLaterBySeconds = 3600

const endsLate: Variant = {
  mint: {
    claims: (grant, { issuedAt, expiresAt }, tools) =>
      referenceMintPolicy.claims(grant, { issuedAt, expiresAt: expiresAt + endsLaterBySeconds }, tools),
  },
}

test('a mint whose shortest tokens live for an hour is not waited for, and leaves expiry unjudged', async () => {
  const checks = await exploreVariant('signaling', endsLate, { seed: 1, milliseconds: 1_000 })
  expect(checks.find(({ id }) => id === 'EXP-22')).toMatchObject({
    verdict: 'untested',
    reason: expect.stringMatching(/a token that was asked for 1 s lives for 360\d s$/),
  })
})

test('signaling with a leeway of half a minute leaves expiry unjudged', async () => {
  const variant: Variant = { signaling: { leewaySeconds: 30 } }
  const checks = await exploreVariant('signaling', variant, { seed: 1, milliseconds: 1_000 })
  expect(checks.find(({ id }) => id === 'EXP-22')).toMatchObject({
    verdict: 'untested',
    reason: expect.stringContaining('SIG-06 judges that'),
  })
})

const connect = { does: 'connect', token: 0, offer: 'as it is', times: 1, stays: false }
const replaySignaling = (variant: Variant, breaks: string, steps: Told['steps']) =>
  tell({ role: 'signaling', breaks, steps }, variant)

const soonExpired = [
  { does: 'mint', who: 'alice', lives: 'short' },
  connect,
  connect,
  { does: 'expire' },
  connect,
]
const leewaySeconds = 2

test('signaling that has a leeway of two seconds is not accused of it', async () => {
  const checks = await replaySignaling({ signaling: { leewaySeconds } }, 'EXP-22', soonExpired)
  expect(checks).toMatchObject([{ verdict: 'pass' }])
})

const behindRejection = [
  { does: 'mint', who: 'alice', lives: 'long' },
  { does: 'mint', who: 'bob', lives: 'long' },
  { ...connect, offer: 'with a changed signature' },
  { ...connect, token: 1 },
]
const undeclared = {
  configuration: { signaling: { profile: { declaredUser: { in: 'none', name: null } } } },
} as const

test('signaling that names each client by its token is not accused', async () => {
  const variant: Variant = { signaling: { joinsAs: (user) => user }, ...undeclared }
  expect(await replaySignaling(variant, 'EXP-24', behindRejection)).toMatchObject([{ verdict: 'pass' }])
})

// A slice: npm run proof -- stories finds each deep variant from several seeds.
const minutes = 4
const own = (id: string) => (check: { readonly id: string }) => check.id === id

const slice = [
  'answers 200 without a token while it pauses after two failures of one kind',
  'stops validating sessions after two failures of one kind',
] as const

test.each(slice)('a backend that %s is found, and its story tells it from the reference', async (name) => {
  const deep = deepBackends[name]
  if (deep === undefined) throw new Error(`there is no deep variant called ${name}`)
  const { checks } = await findStory('backend', deep, { seed: 1, minutes })
  const found = checks.find(own(deep.breaks))
  expect(found).toMatchObject({ verdict: 'fail', reason: null })
  const { story } = found ?? {}
  if (story === undefined) throw new Error('it was found without a story')
  expect(story.steps.length).toBeGreaterThanOrEqual(3)
  expect(story.told.every(({ evidence }) => Array.isArray(evidence))).toBe(true)

  const again = await tellStoryTo('backend', deep, story)
  expect(again.find(own(deep.breaks))).toMatchObject({ verdict: 'fail', story: { steps: story.steps } })
  const reference = await exploreVariant(
    'backend',
    {},
    { seed: 1, signsIn: true, milliseconds: 0, replay: story },
  )
  expect(reference.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([`${deep.breaks} pass`])
})
