import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type {
  BackendAnswer,
  BackendScript,
  ClientApp,
  ConnectionAttempt,
} from '../../../src/roles/client/types.ts'
import { profileOf } from '../../lib/profile-of.ts'
import { asksAgain, joinOnce, openAsked } from './open-asked.ts'

export type Parts = CheckContext<'client' | 'signalingDouble'>

/** A response of the backend; the name completes "when the backend …". */
export interface Failing {
  readonly name: string
  readonly script: BackendScript
  /** A client that accepts this is careless, not broken: a breach only warns. */
  readonly isAdvice?: true
  /** A further judgement of the client afterwards. */
  readonly afterwards?: (app: ClientApp) => void
}

export function answerWith(name: string, answer: BackendAnswer): Failing {
  return { name, script: () => answer }
}

/** The effect of a response without a token shows within this time, above all a handshake without a token. */
const graceSeconds = 1
/** On the client's own clock: longer than the pause between two attempts of a client that retries. */
const patienceSeconds = 60

/**
 * Lets the backend fail in each of these ways and then succeed: for a client that does not connect even then, a missing
 * connection shows nothing. One client is told to connect repeatedly where possible; otherwise a new one is opened.
 */
export async function judgeEachFailure(
  failings: readonly Failing[],
  parts: Parts,
  judge: Judge,
): Promise<void> {
  const { client } = parts
  let app: ClientApp | null = null
  try {
    for (const failing of failings) {
      if (app === null || !(await asksAgain(app, ({ backend }) => backend.answer(failing.script)))) {
        await app?.[Symbol.asyncDispose]()
        app = null
        const options = client.kind === 'page' ? { drivenClock: { offsetMs: 0 } } : {}
        app = await openAsked(client, options, ({ backend }) => backend.answer(failing.script))
      }
      if (!(await judgeFailure(failing, app, parts, judge))) return
      failing.afterwards?.(app)
    }
    const last = failings.at(-1)
    if (app === null || last === undefined) return
    const { signaling } = app
    const isAccepted = () => signaling.attempts().some(({ outcome }) => outcome === 'accepted')
    const isAsking = await asksAgain(app, ({ backend }) => backend.answer(null))
    if (!isAsking || (await app.waitFor(isAccepted)) === null) return await joinOnce(client)
    // A handshake for the last response may come late.
    judgeAttempts(app, last.name, parts.configuration, partOf(last, judge))
  } finally {
    await app?.[Symbol.asyncDispose]()
  }
}

function partOf({ isAdvice }: Failing, judge: Judge): Judge['must'] {
  return isAdvice === true ? judge.should : judge.must
}

/** Says whether the client opens no socket without a token, ends its attempt, and does not feign success. */
async function judgeFailure(
  failing: Failing,
  app: ClientApp,
  { configuration }: Parts,
  judge: Judge,
): Promise<boolean> {
  const { backend } = app
  const { name } = failing
  const part = partOf(failing, judge)
  await app.waitFor(() => backend.calls().at(-1)?.status !== null)
  const answered = backend.calls().length
  const hasAttempted = () => attemptWithoutToken(app, configuration) !== undefined
  await app.waitFor(async () => hasAttempted() || (await app.state()) === 'failed', graceSeconds)
  // A client that calls the token route again has noticed that the attempt failed.
  const isSettled = async () =>
    hasAttempted() || backend.calls().length > answered || (await app.state()) !== 'connecting'
  // The client's clock is advanced first; then real time passes, for timers that it does not control.
  const settles =
    !app.can('state') ||
    (await app.waitOnClientClock(isSettled, patienceSeconds)) !== null ||
    (await app.waitFor(isSettled, configuration.limits.clientSettleSeconds)) !== null
  // Its getAuthToken may have rejected all the same: nothing but the state shows that.
  judge.should(settles, {
    case: name,
    saw: `a client that stays in "connecting" without another call of its token route when the backend ${name}`,
    expected: 'getAuthToken to reject and the attempt to end or to be retried (4.2)',
    fix: 'Throw from getAuthToken on a non-2xx status or a response without a token.',
    evidence: backend.calls().map(({ exchange }) => exchange),
  })
  // Some clients open the socket before they fetch the token, and call that connected.
  const hasOpenSocket = app.signaling.attempts().some(({ closedAt }) => closedAt === null)
  const isHonest = part((await app.state()) !== 'connected' || hasOpenSocket, {
    case: name,
    saw: `a client that returns the state "connected" without a socket to signaling when the backend ${name}`,
    expected: 'getAuthToken to reject and the attempt to fail (4.2)',
    fix: 'Do not catch the failure of getAuthToken before the SDK sees it; show the user that calls do not arrive.',
    evidence: backend.calls().map(({ exchange }) => exchange),
  })
  return judgeAttempts(app, name, configuration, part) && isHonest
}

/** Judges that no handshake carries anything but a token; the name completes "when the backend …". */
export function judgeAttempts(
  app: ClientApp,
  name: string,
  configuration: Parts['configuration'],
  part: Judge['must'],
): boolean {
  const attempt = attemptWithoutToken(app, configuration)
  const { credential = null } = attempt ?? {}
  const other = credential === '' ? 'an empty credential' : 'a credential that is not a calling JWT'
  const offered = credential === null ? 'no credential' : other
  return part(attempt === undefined, {
    case: name,
    saw: `a socket to signaling with ${offered} when the backend ${name}`,
    expected: 'no socket without a calling JWT (4.2)',
    fix: 'Check the status and the token before opening the socket.',
    evidence: attempt === undefined ? undefined : [attempt.exchange],
  })
}

/** Where a message carries the token, the socket may be open before the client has one. */
function attemptWithoutToken(
  app: ClientApp,
  { signaling }: Parts['configuration'],
): ConnectionAttempt | undefined {
  const isByMessage = profileOf(signaling?.access)?.carriage.in === 'message'
  const issued = new Set(app.issued().map(({ jwt }) => jwt))
  return app.signaling
    .attempts()
    .find(({ credential }) => (credential === null ? !isByMessage : !issued.has(credential)))
}
