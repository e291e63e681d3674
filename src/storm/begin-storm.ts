import { performance } from 'node:perf_hooks'
import { readToken } from '../base/tokens/decode.ts'
import { flipped, forged, takenApart } from '../base/tokens/forge.ts'
import { lifetimeOf } from '../base/tokens/token-lifetime.ts'
import { attackSignaling } from './attack.ts'
import { fromMint, fromRoute, offsetOf } from './obtain-token.ts'
import type { StormPlan } from './plan.ts'
import type { Held, Lure, Storm } from './storm.ts'
import { createTally } from './tally.ts'
import { mintToken, namesUser, type Target } from './target.ts'

/** The longest that the load waits for a token to expire first. */
const longestCalmMs = 10_000

/** Gets tokens before the load, to compare with those of the load. */
export async function beginStorm(target: Target, plan: StormPlan): Promise<Storm> {
  const { clock, route } = target
  const begun: Storm = {
    target,
    // The cap is met under load alone.
    plan: { ...plan, profile: 'steady' },
    tally: createTally(clock.wall()),
    tells: { route: false, mint: false },
    usualOffset: null,
    lures: [],
    owners: new Map(),
    joined: new Set(),
    startedAt: clock.monotonic(),
    turns: 0,
    places: 0,
    idle: performance.eventLoopUtilization(),
  }
  const [first] = route?.users ?? []
  const minted = await fromMint(begun, target.newUser())
  const fetched = first === undefined ? null : await fromRoute(begun, first)
  const held = minted ?? fetched
  const lures = held === null ? [] : [...forgeries(held), ...(await expiring(target))]
  // A rejection without load is what one under load is compared with.
  const soon = lures.filter(({ expiredAt }) => (expiredAt ?? 0) < clock.monotonic() + longestCalmMs)
  for (const lure of target.connector === null ? [] : soon) {
    await clock.until(lure.expiredAt ?? 0)
    await attackSignaling(begun, lure)
  }
  const tells = (one: Held | null) => one !== null && namesUser(one.jwt, one.userId) === true
  return {
    ...begun,
    plan,
    lures,
    tells: { route: tells(fetched), mint: tells(minted) },
    usualOffset: minted === null ? null : offsetOf(minted.jwt, clock.wall()),
    // The figures are those of the load.
    tally: createTally(clock.wall()),
    startedAt: clock.monotonic(),
    idle: performance.eventLoopUtilization(),
  }
}

function forgeries({ jwt, userId }: Held): Lure[] {
  const original = takenApart(jwt, userId)
  if (original === null || original.signature.length === 0) return []
  const { signature } = original
  const lure = { userId, refusedAt: null, expiredAt: null }
  const changed = forged(original, {}, flipped(signature, Math.floor(signature.length / 2)))
  return [
    { ...lure, name: 'a token whose signature was changed', jwt: changed },
    {
      ...lure,
      name: 'a token without a signature',
      jwt: forged(original, { header: { alg: 'none' } }, new Uint8Array()),
    },
  ]
}

/** A token that soon expires; it is offered all the time, and counts once it was refused. */
async function expiring({ mint, clock, configuration, newUser }: Target): Promise<Lure[]> {
  const userId = newUser()
  const reply = await mint?.request({ userId, ttlSeconds: mint.minTtlSeconds })
  const jwt = mint === null || reply?.kind !== 'answer' ? null : mintToken(mint, reply)
  if (jwt === null || reply?.kind !== 'answer') return []
  // The mint may grant more than it was asked for.
  const { byClaims } = lifetimeOf(readToken(jwt), reply, clock.wall())
  if (byClaims === null || byClaims > configuration.limits.maxTtlWaitSeconds) return []
  const expiredAt = reply.receivedAt + (byClaims + 1) * 1000
  return [{ name: 'an expired token', jwt, userId, refusedAt: null, expiredAt }]
}
