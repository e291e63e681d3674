import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Minted } from '../../fixtures/backend/policy.ts'
import { deepBackends } from '../../fixtures/explore/variants/backend.ts'
import { deepMints } from '../../fixtures/explore/variants/mint.ts'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { Refusal } from '../../fixtures/mint/refusal.ts'
import { referenceSignalingPolicy } from '../../fixtures/signaling/policy.ts'
import { startReference } from '../../fixtures/stack.ts'
import { exploreRole } from '../../src/explore/explore-role.ts'
import type { Variant } from '../../src/requirement/define.ts'
import type { ExploredRole } from '../../src/requirement/explored-roles.ts'
import type { ShownStory } from '../../src/requirement/shown-story.ts'
import { inheritingUser } from '../../suites/signaling/lib/variant-damage.ts'
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
  const story = { role: 'mint', breaks: 'EXP-44', steps: [{ ...askMint, key: 'no key' }, askMint] } as const
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

const askMint = { does: 'ask', key: 'the right key', who: ['alice'], lifetime: 'none', idempotency: null }

const replayMint = (variant: Variant, breaks: string, steps: Told['steps']) =>
  tell({ role: 'mint', breaks, steps }, variant)

/** Rejects the right key for as long as `isRejected` says, and counts the requests with it. */
function rejecting(isRejected: (count: number) => boolean): Variant {
  let count = 0
  return {
    mint: {
      admit(project) {
        referenceMintPolicy.admit(project)
        count += 1
        if (isRejected(count)) throw new Refusal(401, 'invalid_key', 'this key is unknown')
      },
    },
    configuration: { limits: { neverSeconds: 8 } },
  }
}

test('a mint that rejects the right key at every third request is found, also where it does so first', async () => {
  for (const first of [0, 1, 2]) {
    const variant = rejecting((count) => (count + first) % 3 === 0)
    const checks = await replayMint(variant, 'EXP-43', [askMint, askMint, askMint])
    expect(checks).toMatchObject([{ id: 'EXP-43', verdict: 'fail' }])
  }
})

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

/** Serves each key that it ever knew, where `isOpen` says so. */
function remembering(isOpen: () => boolean): Variant {
  const known = new Set<string>()
  return {
    mint: {
      keyMatches(presented, key) {
        if (referenceMintPolicy.keyMatches(presented, key)) known.add(presented)
        return referenceMintPolicy.keyMatches(presented, key) || (known.has(presented) && isOpen())
      },
    },
    configuration: { limits: { leewayWarnSeconds: 1, leewayFailSeconds: 2 } },
  }
}

test('a revoked key that is served behind the right one is found', async () => {
  let last = [0, 0]
  const variant = remembering(() => last.join(' ') === '401 200')
  const mint: Variant['mint'] = {
    ...variant.mint,
    answer(answer) {
      last = [...last, answer.status].slice(-2)
      return answer
    },
  }
  const pause = { does: 'pause', milliseconds: 2_000 }
  const revoked = { ...askMint, key: 'revoked' }
  const steps = [revoked, pause, { ...askMint, key: 'no key' }, askMint, revoked]
  expect(await replayRevoking({ ...variant, mint }, steps)).toMatchObject([{ id: 'EXP-45', verdict: 'fail' }])
})

test('a revoked key that stays rejected is no finding', async () => {
  const steps = [askMint, { ...askMint, key: 'revoked' }, askMint]
  expect(await replayRevoking({}, steps)).toMatchObject([{ id: 'EXP-45', verdict: 'pass' }])
})

/** Names the user whose request came last in every token. */
function mixing(): Variant {
  let last = ''
  return {
    mint: {
      userId(value) {
        last = referenceMintPolicy.userId(value)
        return last
      },
      async token(claims, header, signing, grant) {
        await setTimeout(300)
        return await referenceMintPolicy.token({ ...claims, sub: last }, header, signing, grant)
      },
    },
  }
}

test('a token for the user of a request that began later is found where requests overlap', async () => {
  const overlapping = [{ ...askMint, beside: { key: 'the right key', who: 'bob' } }]
  expect(await replayMint(mixing(), 'EXP-42', overlapping)).toMatchObject([{ id: 'EXP-42', verdict: 'fail' }])
  expect(await replayMint(mixing(), 'EXP-42', [askMint, { ...askMint, who: ['bob'] }])).toMatchObject([
    { id: 'EXP-42', verdict: 'pass' },
  ])
  expect(await replayMint({}, 'EXP-42', overlapping)).toMatchObject([{ id: 'EXP-42', verdict: 'pass' }])
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
  expect(await replaySignaling(keepsVerdicts, 'EXP-22', soonExpired)).toMatchObject([{ verdict: 'fail' }])
})

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

test('signaling whose next client is the rejected user is found where no user is declared', async () => {
  const inherits = { ...inheritingUser({ isDeclarationBelieved: true }), ...undeclared }
  expect(await replaySignaling(inherits, 'EXP-24', behindRejection)).toMatchObject([{ verdict: 'fail' }])
})

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

test('a story about the mint tells a deep variant from the reference', async () => {
  const deep = deepMints['knows a key by its beginning after four good calls in a row']
  if (deep === undefined) throw new Error('there is no such variant')
  const good = { does: 'ask', key: 'the right key', who: ['alice'], lifetime: 'none', idempotency: null }
  const near = { ...good, key: 'a key that differs in its last character' }
  const story: ShownStory = {
    role: 'mint',
    breaks: deep.breaks,
    opening: '',
    told: [],
    steps: [near, good, good, good, good, near, good],
  }
  const broken = await tellStoryTo('mint', deep, story)
  expect(broken).toMatchObject([{ id: 'EXP-41', verdict: 'fail', story: { steps: story.steps.slice(0, 6) } }])
  const reference = await exploreVariant('mint', {}, { seed: 1, milliseconds: 0, replay: story })
  expect(reference).toMatchObject([{ id: 'EXP-41', verdict: 'pass' }])
})

test('a session without its last characters, known by its beginning after three served requests, is found', async () => {
  let served = 0
  const known: Variant = {
    backend: {
      async callingToken(request, steps) {
        const asked = (request.headers.authorization ?? '').replace(/^bearer +/i, '')
        const whole = [...steps.records.byToken.keys()].find(
          (token) => asked !== '' && token.startsWith(asked),
        )
        const kept = served >= 3 ? steps.records.byToken.get(whole ?? '') : undefined
        const minted = await steps.mint(steps.userId(kept ?? (await steps.authenticate())))
        served += 1
        return minted
      },
    },
  }
  const ask = (who: string) => ({ does: 'ask', who: [who], mint: 'a token' })
  const cut = ask("alice's session without its last characters")
  const steps = [cut, ask('alice'), ask('alice'), ask('alice'), cut]
  const replay: ShownStory = { role: 'backend', breaks: 'EXP-04', opening: '', told: [], steps }
  const tell = (variant: Variant) => exploreVariant('backend', variant, { seed: 1, milliseconds: 0, replay })
  expect(await tell(known)).toMatchObject([{ id: 'EXP-04', verdict: 'fail' }])
  expect(await tell({})).toMatchObject([{ id: 'EXP-04', verdict: 'pass' }])
})
