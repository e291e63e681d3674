import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type {
  Client,
  ClientApp,
  ConnectionAttempt,
  SignalingReaction,
} from '../../../src/roles/client/types.ts'

export type Parts = CheckContext<'client' | 'signalingDouble'>

/** A page's clock is advanced, so that the pauses between its attempts cost no time. */
export function openWithDrivenClock(client: Client): Promise<ClientApp> {
  return client.open(client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {})
}

/** A moment, as counts of the client's actions so far. */
export interface ActionCounts {
  readonly calls: number
  readonly attempts: number
}

export function countActions({ backend, signaling }: ClientApp): ActionCounts {
  return { calls: backend.calls().length, attempts: signaling.attempts().length }
}

/** From this moment on, handshakes get this reaction until the client calls its backend again, and `onAsked` from then on. */
export function reactUntilAsked(
  app: ClientApp,
  since: ActionCounts,
  reaction: () => SignalingReaction,
  onAsked: () => SignalingReaction = () => 'ordinary',
): void {
  app.signaling.answer(() => (hasAsked(app, since) ? onAsked() : reaction()))
}

/** Ways to reject a handshake as 401. */
export type Refusal = 'refuse' | 'refuse once open'

/** Signs in and connects; every handshake is rejected until the client calls its backend again. */
export async function refuseAtConnect(
  app: ClientApp,
  onAsked?: () => SignalingReaction,
  refusal: Refusal = 'refuse',
): Promise<ActionCounts> {
  const refused = Promise.withResolvers<ActionCounts>()
  app.signaling.answer(() => {
    const since = countActions(app)
    reactUntilAsked(app, since, () => refusal, onAsked)
    refused.resolve(since)
    return refusal
  })
  await app.signIn()
  await app.connect()
  const attempt = await app.waitForAttempt()
  const offered = await app.waitFor(() => app.issued().find(({ jwt }) => jwt === attempt.credential))
  if (offered === null) throw await app.explainNotJoined()
  return await refused.promise
}

/**
 * Judges that the client calls its backend again and connects with the new token; `when` completes "after the client was …".
 * Without a new handshake, the client is accused only where it has stopped or has kept using the old token for very long.
 */
export async function judgeRenewal(
  app: ClientApp,
  since: ActionCounts,
  when: string,
  { client, configuration, signalingDouble }: Pick<Parts, 'client' | 'configuration' | 'signalingDouble'>,
  judge: Pick<Judge, 'must' | 'untested'>,
): Promise<boolean> {
  const { reconnectSeconds } = configuration.limits
  // Attempts without end are never exhausted, and a page cannot see the status of a rejected upgrade.
  const isUntold = client.kind === 'page' && signalingDouble.atConnect === 'http'
  const isEndless = () =>
    isUntold && !hasAsked(app, since) && findStaleAttempts(app, since).length >= manyAttempts
  const isRenewed = () => isRenewedSince(app, since)
  const isOver = () => isRenewed() || isEndless()
  const seconds = estimateRealSeconds(app)
  await app.waitOnClientClock(isRenewed, reconnectSeconds)
  // Remaining attempts are no fault, and an advanced clock makes it cheap to wait for them, also on a busy machine.
  const isDriven = app.isClockDriven()
  for (const times of isDriven ? longer : []) {
    await app.waitFor(isOver, seconds)
    if (!isOver()) await app.waitOnClientClock(isOver, reconnectSeconds * times)
  }
  await app.waitFor(isOver, seconds)
  const stale = findStaleAttempts(app, since)
  const last = app.signaling.attempts().at(-1)?.clientAt ?? 0
  const goesOn = stale.length > 0 && app.clientNow() - last < (reconnectSeconds * 1000) / 2
  if (!isRenewed() && !hasAsked(app, since)) {
    const isPatient = !isDriven && goesOn && stale.length < manyAttempts
    const reason = isPatient
      ? `the client still used its old calling JWT ${reconnectSeconds} s after it was ${when}: raise limits.reconnectSeconds`
      : 'the client goes on with its old calling JWT, and a page cannot see the HTTP status by which signaling.profile rejects it'
    if (isPatient || (isUntold && (goesOn || isEndless()))) {
      judge.untested(reason)
      return false
    }
  }
  const advice = isRenewed() ? everyReconnect : await adviseFreshToken(app, everyReconnect)
  return judge.must(isRenewed(), {
    case: `a client that was ${when}`,
    saw: `${describeSince(app, since, stale)} after the client was ${when}`,
    expected: 'a call of the token route and a handshake with the new calling JWT (5.6)',
    isAbsence: true,
    fix: `${advice}${[signalingDouble.atConnect, signalingDouble.inSession].includes('frame') ? ' If signaling closes the connection behind its error frame, name the close code in signaling.profile.unauthorized.' : ''}`,
    evidence: [...app.signaling.attempts(), ...app.backend.calls()].map(({ exchange }) => exchange),
  })
}

export const everyReconnect = 'Call getAuthToken before every reconnect.'

/** How many times `limits.reconnectSeconds` a driven clock is advanced further. */
const longer = [3, 6]
/** A driven clock outruns the network: requests in flight get real time to arrive. */
function estimateRealSeconds({ backend, signaling }: ClientApp): number {
  const [call] = backend.calls()
  const [attempt] = signaling.attempts()
  const usualMs = call === undefined || attempt === undefined ? 0 : attempt.at - call.at
  return Math.min(15, Math.max(2, (5 * usualMs) / 1000))
}

/** More handshakes with one token than any client intends. */
export const manyAttempts = 20

/** Handshakes since then with a calling JWT that was used before. */
export function findStaleAttempts(app: ClientApp, { attempts }: ActionCounts): readonly ConnectionAttempt[] {
  const all = app.signaling.attempts()
  const spent = new Set(all.slice(0, attempts).map(({ credential }) => credential))
  return all.slice(attempts).filter(({ credential }) => credential !== null && spent.has(credential))
}

/** Says whether a handshake since then had a calling JWT that was not used before. */
function isRenewedSince(app: ClientApp, since: ActionCounts): boolean {
  const stale = findStaleAttempts(app, since)
  const issued = new Set<string | null>(app.issued().map(({ jwt }) => jwt))
  const later = app.signaling.attempts().slice(since.attempts)
  return later.some((attempt) => issued.has(attempt.credential) && !stale.includes(attempt))
}

function describeSince(app: ClientApp, since: ActionCounts, stale: readonly ConnectionAttempt[]): string {
  const others = app.signaling.attempts().length - since.attempts
  const counted = (count: number) => `${count} more handshake${count === 1 ? '' : 's'}`
  const reconnects = `${counted(stale.length)} with the same calling JWT`
  if (hasAsked(app, since)) {
    const seen = stale.length > 0 ? reconnects : 'no handshake with the new token'
    return `a new call of the token route, but ${seen}`
  }
  if (others === 0) return 'no new call of the token route and no other handshake'
  const seen = others > stale.length ? `${counted(others)} without a new calling JWT` : reconnects
  return `${seen} and no new call of the token route`
}

function hasAsked({ backend }: ClientApp, since: ActionCounts): boolean {
  return backend.calls().length > since.calls
}

/** A page that answers its token route from a cache does call getAuthToken. */
export async function adviseFreshToken(
  app: Pick<ClientApp, 'capture' | 'issued'>,
  usual: string,
): Promise<string> {
  const texts = await app.capture().catch(() => [])
  const isCached = texts.some(
    ({ place, text }) => place === 'cache' && app.issued().some(({ jwt }) => text.includes(jwt)),
  )
  return isCached
    ? 'Leave the token route out of the cache that the page or its service worker keeps: each call of getAuthToken has to reach the backend.'
    : usual
}
