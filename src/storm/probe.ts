import { TwotokenError } from '../base/errors.ts'
import { beginStorm } from './begin-storm.ts'
import { join } from './join.ts'
import type { Aftermath } from './judge-storm.ts'
import { fromMint, fromRoute } from './obtain-token.ts'
import type { StormPlan } from './plan.ts'
import type { Breach } from './tally.ts'
import type { Target } from './target.ts'

/** Bans and breakers are over by then. */
const usualPatienceMs = 35_000
const againMs = 1000

/** Throws where a part serves no user before the load. */
export async function assertServes(target: Target, plan: StormPlan): Promise<void> {
  const { idle, breaches } = await askEach(target, plan)
  if (idle.length === 0) return
  const [breach] = breaches
  const why =
    breach === undefined
      ? 'twotoken doctor says why'
      : `there was ${breach.saw} without any load, which twotoken run judges`
  throw new TwotokenError(
    'precondition',
    `the storm did not start: ${idle.join(' and ')} ${idle.length === 1 ? 'serves' : 'serve'} no user now; ${why}`,
  )
}

interface Asked {
  /** The names of the parts that do not serve. */
  readonly idle: string[]
  readonly breaches: readonly Breach[]
}

/** Asks each part once, as one user. */
async function askEach(target: Target, plan: StormPlan): Promise<Asked> {
  const storm = await beginStorm(target, { ...plan, profile: 'steady' })
  const idle: string[] = []
  const { breaches } = storm.tally
  const [user] = target.route?.users ?? []
  const minted = target.mint === null ? null : await fromMint(storm, target.newUser())
  if (target.mint !== null && minted === null) idle.push('the mint')
  const fetched = user === undefined ? null : await fromRoute(storm, user)
  if (user !== undefined && fetched === null) idle.push('the token route')
  const held = minted ?? fetched
  // A backend behind the mint double issues tokens that signaling need not know.
  if (target.connector === null || held === null) return { idle, breaches }
  const socket = await join(storm, held)
  if (socket === null) idle.push('signaling')
  else await socket[Symbol.asyncDispose]()
  return { idle, breaches }
}

/** Waits until the parts that served before serve again. */
export async function findIdleAfter(
  target: Target,
  plan: StormPlan,
  patienceMs = usualPatienceMs,
): Promise<Aftermath> {
  const until = target.clock.monotonic() + patienceMs
  for (;;) {
    const { idle } = await askEach(target, plan)
    if (idle.length === 0 || target.clock.monotonic() > until) return idle
    await target.clock.until(target.clock.monotonic() + againMs)
  }
}
