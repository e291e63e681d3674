import type { UserSession } from '../roles/backend/types.ts'
import type { OpenSocket } from '../roles/signaling/attempt.ts'
import { attack, attackEvery } from './attack.ts'
import { join } from './join.ts'
import { fromMint, fromRoute } from './obtain-token.ts'
import type { Held, Storm } from './storm.ts'
import { increase } from './tally.ts'

const retryWaitsMs = [200, 400, 800, 1600]

/** One user, from the arrival until the storm is over. Never throws for what a part does. */
export async function runUser(storm: Storm): Promise<void> {
  const { plan, target } = storm
  const place = storm.places++
  storm.tally.users += 1
  const users = ownSessions(storm)
  // With both parts, every other user goes through the backend.
  const isOfRoute = target.mint === null || (users.length > 0 && place % 2 === 0)
  const session = isOfRoute
    ? users[Math.floor(place / (target.mint === null ? 1 : 2)) % users.length]
    : undefined
  const userId = session?.userId ?? target.newUser()
  const obtain = () => (session === undefined ? fromMint(storm, userId) : fromRoute(storm, session))
  const endsAt = storm.startedAt + plan.seconds * 1000
  await pause(storm, plan.thinkMs)
  while (target.clock.monotonic() < endsAt || storm.turns < (plan.leastTurns ?? 0)) {
    storm.turns += 1
    if (storm.turns % attackEvery === 0) await attack(storm)
    else if (plan.profile === 'expiry' || plan.profile === 'restart') await ride(storm, obtain)
    else await takeTurn(storm, obtain)
    await pause(storm, plan.thinkMs)
  }
}

/** Sessions of this machine, so that no other uses them at the same time; all of them where it has no share. */
function ownSessions({ plan: { shard }, target }: Storm): readonly UserSession[] {
  const all = target.route?.users ?? []
  const own = all.filter((_, place) => place % shard.count === shard.index - 1)
  return own.length > 0 ? own : all
}

/** A random time around this one, so that users do not march in step. */
function pause({ target: { clock, random } }: Storm, milliseconds: number): Promise<void> {
  return clock.until(clock.monotonic() + milliseconds * (0.5 + random()))
}

async function takeTurn(storm: Storm, obtain: () => Promise<Held | null>): Promise<void> {
  const held = await obtain()
  if (held !== null) await (await join(storm, held))?.[Symbol.asyncDispose]()
}

/** Stays joined until the next wave, in which all users mint or connect again, spread by their jitter. */
async function ride(storm: Storm, obtain: () => Promise<Held | null>): Promise<void> {
  const { plan, target } = storm
  const { clock, random } = target
  const held = await obtain()
  if (held === null) return
  const socket = await join(storm, held)
  const now = clock.monotonic()
  const waves = Math.floor((now - storm.startedAt) / plan.waveMs) + 1
  const wave = Math.min(storm.startedAt + waves * plan.waveMs, storm.startedAt + plan.seconds * 1000)
  await clock.until(wave)
  await socket?.[Symbol.asyncDispose]()
  await clock.until(clock.monotonic() + random() * plan.jitterMs)
  const next = plan.profile === 'expiry' ? await obtain() : held
  if (next !== null) await (await reconnect(storm, next, obtain))?.[Symbol.asyncDispose]()
}

/** As a client does (5.6): a few attempts with growing pauses, then a new token and one more. */
async function reconnect(
  storm: Storm,
  held: Held,
  obtain: () => Promise<Held | null>,
): Promise<OpenSocket | null> {
  for (const waitMs of retryWaitsMs) {
    const socket = await join(storm, held)
    if (socket !== null) return socket
    await pause(storm, waitMs)
  }
  increase(storm.tally.counts, 're-mints')
  const fresh = await obtain()
  return fresh === null ? null : await join(storm, fresh)
}
