import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { referenceMintPolicy } from '../../fixtures/mint/policy.ts'
import { Refusal } from '../../fixtures/mint/refusal.ts'
import { startReference } from '../../fixtures/stack.ts'
import { exploreRole } from '../../src/explore/explore-role.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { exploreVariant } from './prove-found.ts'

const ask = { does: 'ask', key: 'the right key', who: ['alice'], lifetime: 'none', idempotency: null }

function replay(variant: Variant, breaks: string, steps: readonly { readonly does: string }[]) {
  const story = { role: 'mint', breaks, opening: '', told: [], steps } as const
  return exploreVariant('mint', variant, { seed: 1, milliseconds: 0, replay: story })
}

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
    const checks = await replay(variant, 'EXP-43', [ask, ask, ask])
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
  const checks = await replay(bans, 'EXP-43', [{ ...ask, key: 'no key' }, ask, ask])
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
  const steps = [{ ...ask, key: 'no key' }, ask, { ...ask, key: 'revoked' }]
  expect(await replayRevoking({ ...variant, mint }, steps)).toMatchObject([{ id: 'EXP-45', verdict: 'fail' }])
})

test('a revoked key that stays rejected is no finding', async () => {
  const steps = [ask, { ...ask, key: 'revoked' }, ask]
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
  const begin = { ...ask, does: 'begin' }
  const overlapping = [begin, { ...begin, who: ['bob'] }, { does: 'finish' }]
  expect(await replay(mixing(), 'EXP-42', overlapping)).toMatchObject([{ id: 'EXP-42', verdict: 'fail' }])
  expect(await replay(mixing(), 'EXP-42', [ask, { ...ask, who: ['bob'] }])).toMatchObject([
    { id: 'EXP-42', verdict: 'pass' },
  ])
  expect(await replay({}, 'EXP-42', overlapping)).toMatchObject([{ id: 'EXP-42', verdict: 'pass' }])
})

const askCapped = { ...ask, key: 'capped' }

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

test('a cap that ends within the second that it announces is no finding, and one that serves long before is', async () => {
  const asked = [askCapped, askCapped, askCapped]
  expect(await replay(capping(1), 'EXP-45', asked)).toMatchObject([{ id: 'EXP-45', verdict: 'pass' }])
  expect(await replay(capping(60), 'EXP-45', asked)).toMatchObject([{ id: 'EXP-45', verdict: 'fail' }])
})

/** Serves the key at its cap from its second request on, and limits the rate of all keys: two requests with that one in a row are too many. */
function countingAnew(): Variant {
  let asked = 0
  let wasCapped = false
  let isLimited = false
  return {
    mint: {
      admit({ remainingMints, ...project }) {
        referenceMintPolicy.admit({ ...project, remainingMints: null })
        const isCapped = remainingMints !== null
        const isTooMany = isLimited || (isCapped && wasCapped)
        isLimited = isCapped && wasCapped
        wasCapped = isCapped && !isTooMany
        if (isTooMany) throw new Refusal(429, 'mint_cap_reached', 'too many requests')
        asked += isCapped ? 1 : 0
        if (isCapped && asked === 1) throw new Refusal(429, 'mint_cap_reached', 'the cap is reached')
      },
    },
  }
}

test('a limit on the rate of all keys is no gap in a cap that is counted anew', async () => {
  const checks = await replay(countingAnew(), 'EXP-45', [ask, askCapped])
  expect(checks).toMatchObject([{ id: 'EXP-45', verdict: 'warn' }])
})
