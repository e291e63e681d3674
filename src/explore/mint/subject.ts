import { randomUUID } from 'node:crypto'
import { outageSeconds } from '../../base/http/limits.ts'
import type { CheckContext } from '../../requirement/needs.ts'
import { createNearMissKeys } from '../../roles/mint/near-miss-keys.ts'
import type { OwnSubject } from '../engine/subject.ts'
import { drawRound, isIn, type MintStep, otherKeys, stateKeys } from './steps.ts'
import { type KeyOf, type Norms, tellMint } from './story.ts'

export const mintNeeds = ['mint'] as const
type MintParts = CheckContext<(typeof mintNeeds)[number]>

const longSeconds = 900
const shortSeconds = 120

/** The mint with every key that the configuration has, and keys that are almost right. */
export function openMintSubject(parts: MintParts): OwnSubject<MintStep> {
  const { mint, newUser, clock } = parts
  const { limits } = parts.configuration
  const keyOf = findKeys(parts)
  const present = otherKeys.filter((key) => keyOf(key) !== undefined)
  const norms: Norms = { granted: new Map(), rejectedUntil: new Map(), served: new Set(), namesUser: false }
  let revokedAt: number | null = null
  return {
    opening: 'Two users, alice and bob, who were never seen before; a third one got a token.',
    pauseSeconds: outageSeconds(limits),
    drawRound: (dice, round) => drawRound(present, dice, round),
    async tell(story) {
      revokedAt ??= await revoke(parts)
      return await story(
        tellMint({
          mint,
          clock,
          newUser,
          userIds: { alice: newUser(), bob: newUser() },
          keyOf,
          ttlSeconds: {
            none: undefined,
            short: Math.max(shortSeconds, mint.minTtlSeconds),
            long: Math.max(longSeconds, mint.minTtlSeconds),
          },
          norms,
          revocation: {
            warnsAt: revokedAt + limits.leewayWarnSeconds * 1_000,
            failsAt: revokedAt + limits.leewayFailSeconds * 1_000,
          },
          idempotencyKeys: [randomUUID(), randomUUID()],
          issued: new Map(),
        }),
      )
    },
    unjudged: () => ({
      'EXP-44': norms.granted.size === 0 ? 'the lifetime of the tokens cannot be read' : undefined,
      'EXP-45': whyStatesAreUnjudged(keyOf, norms),
    }),
  }
}

function whyStatesAreUnjudged(keyOf: KeyOf, { served, rejectedUntil }: Norms): string | undefined {
  if (stateKeys.every((name) => keyOf(name) === undefined))
    return 'needs a key in mint.keys, or hooks.revokeKey with its key'
  const open = [...served]
    .filter((name) => !rejectedUntil.has(name))
    .map((name) => (name === 'revoked' ? 'hooks.revokeKey.key' : `mint.keys.${name}`))
  return open.length === 0
    ? undefined
    : `the mint rejected ${open.join(' and ')} in no story: MINT-15 to MINT-17 and MINT-21 judge that`
}

function findKeys({ mint, available, randomBytes }: MintParts): KeyOf {
  const states = {
    trialEnded: available('trialEndedKey'),
    suspended: available('suspendedKey'),
    capped: available('cappedKey'),
    revoked: findRevocable({ mint, available }),
  }
  const near = new Map(createNearMissKeys(mint.apiKey, randomBytes(mint.apiKey.length).toString('hex')))
  return (key) => {
    if (key === 'the right key') return mint.apiKey
    if (key === 'the key of another project') return available('otherProjectKey')
    if (key === 'no key') return null
    return isIn(stateKeys, key) ? states[key]?.key : near.get(key)
  }
}

/** The key that the exploration may revoke; no other story needs it. */
function findRevocable({ mint, available }: Pick<MintParts, 'mint' | 'available'>) {
  const hook = available('revokeKeyHook')
  return hook?.key === mint.apiKey || hook?.key === available('otherProjectKey') ? undefined : hook
}

/** Revokes the key where it still mints. Returns the monotonic milliseconds, -Infinity where it was revoked before. */
async function revoke({ mint, available, newUser, clock }: MintParts): Promise<number> {
  const hook = findRevocable({ mint, available })
  if (hook === undefined) return Number.NEGATIVE_INFINITY
  const reply = await mint.request({ key: hook.key, userId: newUser(), followRedirects: true })
  if (mint.issuedBy(reply) === null) return Number.NEGATIVE_INFINITY
  await hook.run()
  return clock.monotonic()
}
