import { ControlLost } from '../../src/base/inconclusive.ts'
import type { Judge } from '../../src/requirement/judge.ts'
import type { PartsOf } from '../../src/requirement/needs.ts'
import type { Dial, SignalingReaction } from '../../src/roles/client/double-types.ts'
import type { Client, ClientApp } from '../../src/roles/client/types.ts'

export type Parts = PartsOf<'client' | 'signalingDouble'>

/** A page's clock is run ahead, so that the pauses between its attempts cost no time. */
export function openWithDrivenClock(client: Client): Promise<ClientApp> {
  return client.open(client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {})
}

/** A moment, as numbers of what the client had done by then. */
export interface ActionCounts {
  readonly calls: number
  readonly dials: number
}

export function countActions({ backend, signaling }: ClientApp): ActionCounts {
  return { calls: backend.calls().length, dials: signaling.dials().length }
}

/** From this moment on, dials are treated so until the client asks its backend again. */
export function reactUntilAsked(
  app: ClientApp,
  since: ActionCounts,
  reaction: () => SignalingReaction,
): void {
  app.signaling.answer(() => (hasAsked(app, since) ? 'ordinary' : reaction()))
}

/** Signs in and connects; the first dial is refused, and so is every other one until the backend is asked again. */
export async function refuseAtConnect(app: ClientApp): Promise<ActionCounts> {
  const refused = Promise.withResolvers<ActionCounts>()
  app.signaling.answer(() => {
    const since = countActions(app)
    reactUntilAsked(app, since, () => 'refuse')
    refused.resolve(since)
    return 'refuse'
  })
  await app.signIn()
  await app.connect()
  const dial = await app.dialled()
  const offered = await app.wait(() => app.issued().find(({ jwt }) => jwt === dial.credential))
  if (offered === null)
    throw new ControlLost('the client dialled signaling without the calling JWT that it was given', [
      dial.exchange,
    ])
  return await refused.promise
}

/**
 * The client asks its backend again and dials with what it gets; `when` completes "when it is …". Without the new dial
 * it is accused only where it was seen to have stopped, or to go on with what it had for very long.
 */
export async function judgeRenewal(
  app: ClientApp,
  since: ActionCounts,
  when: string,
  { configuration, clock }: Parts,
  judge: Judge,
): Promise<boolean> {
  const { reconnectSeconds } = configuration.limits
  const startedAt = clock.monotonic()
  const renewed = () => renewedDial(app, since)
  const seconds = realSeconds(app)
  let dial = await app.pump(renewed, reconnectSeconds)
  const isDriven = clock.monotonic() - startedAt < reconnectSeconds * 1000
  // Attempts that are not exhausted yet are no fault, and on a clock that is run ahead they can be waited for.
  for (const times of isDriven ? longer : []) {
    dial ??= await app.wait(renewed, seconds)
    dial ??= await app.pump(renewed, reconnectSeconds * times)
  }
  dial ??= await app.wait(renewed, seconds)
  const stale = staleDials(app, since)
  const last = app.signaling.dials().at(-1)?.clientAt ?? 0
  const goesOn = stale.length > 0 && app.clientNow() - last < (reconnectSeconds * 1000) / 2
  if (dial === null && !isDriven && goesOn && stale.length < manyDials && !hasAsked(app, since)) {
    judge.untested(
      `still dialling with its old calling JWT ${reconnectSeconds} s after it was ${when}: raise limits.reconnectSeconds`,
    )
    return false
  }
  return judge.must(dial !== null, {
    saw: `${didSince(app, since, stale)} when it is ${when}`,
    expected: 'a new call of the token route, and a dial with the new calling JWT',
    evidence: [...app.signaling.dials(), ...app.backend.calls()].map(({ exchange }) => exchange),
  })
}

/** How many times `limits.reconnectSeconds` a clock that is run ahead is run on, and on. */
const longer = [3, 6]
/** The clock runs ahead of the network: what a client has begun gets real time to arrive before anything is concluded. */
function realSeconds({ backend, signaling }: ClientApp): number {
  const [call] = backend.calls()
  const [dial] = signaling.dials()
  const usualMs = call === undefined || dial === undefined ? 0 : dial.at - call.at
  return Math.min(15, Math.max(2, (5 * usualMs) / 1000))
}

/** No client means to try so often with one token. */
const manyDials = 20

/** Dials since then with a calling JWT that was dialled with before. */
export function staleDials(app: ClientApp, since: ActionCounts): readonly Dial[] {
  const spent = spentBy(app, since)
  return dialsSince(app, since).filter(({ credential }) => credential !== null && spent.has(credential))
}

/** The first dial since then with a calling JWT that was not dialled with before. */
function renewedDial(app: ClientApp, since: ActionCounts): Dial | undefined {
  const spent = spentBy(app, since)
  const issued = new Set(app.issued().map(({ jwt }) => jwt))
  return dialsSince(app, since).find(
    ({ credential }) => credential !== null && issued.has(credential) && !spent.has(credential),
  )
}

function didSince(app: ClientApp, since: ActionCounts, stale: readonly Dial[]): string {
  const redials = `${stale.length} more dial${stale.length === 1 ? '' : 's'} with the same calling JWT`
  if (!hasAsked(app, since))
    return stale.length > 0
      ? `${redials}, and no new call of the token route,`
      : 'neither a new call of the token route nor another dial'
  return stale.length > 0
    ? `a new call of the token route, but ${redials}`
    : 'a new call of the token route, but no dial with what it gave'
}

function hasAsked({ backend }: ClientApp, since: ActionCounts): boolean {
  return backend.calls().length > since.calls
}

function dialsSince({ signaling }: ClientApp, { dials }: ActionCounts): readonly Dial[] {
  return signaling.dials().slice(dials)
}

function spentBy({ signaling }: ClientApp, { dials }: ActionCounts): ReadonlySet<string | null> {
  return new Set(
    signaling
      .dials()
      .slice(0, dials)
      .map(({ credential }) => credential),
  )
}
