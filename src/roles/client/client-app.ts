import { ControlLost, Untested } from '../../base/inconclusive.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import { advanceClock } from './advance-clock.ts'
import type { DoublesConfiguration } from './client-configuration.ts'
import type { ClientContext } from './client-context.ts'
import { type ClientDriver, RejectedByClient } from './client-driver.ts'
import { captureTraffic } from './traffic-capture.ts'
import type {
  BackendCall,
  ClientApp,
  ConnectionAttempt,
  Established,
  Joined,
  OptionalAction,
  Probe,
  SignedIn,
  UserName,
} from './types.ts'

/** A client that has sent nothing for so long has nothing more to send; one that never pauses is not waited for. */
const quietMs = 700
/** On a busy machine it takes longer: so many times what it took from its token to its connection attempt. */
const quietTimes = 8
const longestQuietMs = 5000
/** How long an action may take: a login may go through several pages. */
const stepMs = 60_000
/**
 * Time for a step that has to happen before anything is judged. A slow app or a busy machine loses nothing by
 * it.
 */
const leastControlSeconds = 30
/** Longer than most clients give their backend. */
const againSeconds = 8
/** A client that answers no ping within this time never does. */
const welcomeSeconds = 2
/** A person has more than one thing to do. */
const observedStepMs = 600_000

/** Puts a client and its context together. */
export function createClientApp(
  context: ClientContext,
  driver: ClientDriver,
  { client, limits }: Pick<DoublesConfiguration, 'client' | 'limits'>,
): ClientApp {
  const users = client?.users ?? {}
  const reactionSeconds = limits.clientSettleSeconds
  const controlSeconds = Math.max(leastControlSeconds, reactionSeconds)
  const { changeSignal, backend, signaling, tokenIssuer, recorder } = context

  const failure = (message: string, evidence: readonly string[] = []): ControlLost => {
    changeSignal.markFailed()
    return new ControlLost(message, evidence)
  }
  let rejection: string | null = null
  /** Explains a missing message, which may have been sent where it could not be read. */
  const missing = (absence: string): ControlLost | Untested => {
    const message =
      rejection === null ? absence : `${absence}; ${driver.prefix}answer to connect: ${rejection}`
    const unread = driver.unreadHosts().map(({ host, reason }) => `${host} (${reason})`)
    if (unread.length > 0)
      return new Untested(`${message}; the proxy could not read what was sent to ${unread.join('; ')}`)
    if (driver.isProxied)
      return new Untested(
        `${message}; an app that ignores the proxy of the system, as Flutter does, or that uses QUIC cannot be observed`,
      )
    return failure(message)
  }

  let isHeld = false
  const hold = async () => {
    if (isHeld || !driver.isClockDriven()) return
    await driver.holdClock()
    context.holdTime(true)
    isHeld = true
  }
  const release = async () => {
    if (!isHeld) return
    await driver.releaseClock()
    context.holdTime(false)
    isHeld = false
  }

  const allowedMs = driver.isPerson ? observedStepMs : stepMs
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const tooLate = `${driver.prefix}${name} did not return within ${allowedMs / 1000} s`
    await release()
    let isOver = false
    const running = run().finally(() => {
      isOver = true
    })
    // No ring when it is over: a probe that asks for the state would wake itself in an endless loop.
    const lost = changeSignal
      .waitFor(() => isOver, allowedMs)
      .then((ended) => {
        if (ended === null) throw failure(tooLate)
        return running
      })
    return await Promise.race([running, lost]).catch((error: unknown) => {
      if (error instanceof ControlLost || error instanceof Untested) throw error
      throw failure(`${driver.prefix}${name} failed: ${firstLine(error)}`)
    })
  }

  /** A client that refuses to connect, or says that it could not, has been told to: what it sends decides. */
  const connect = async () => {
    rejection = null
    await step('connect', async () => {
      try {
        await driver.connect()
      } catch (error) {
        if (!(error instanceof RejectedByClient)) throw error
        rejection = firstLine(error)
      }
    })
  }

  const wait = <T>(probe: Probe<T>, seconds = reactionSeconds) => changeSignal.waitFor(probe, seconds * 1000)
  /** A client that gave up by a deadline of its own, as it may on a busy machine, is told once more to connect. */
  const waitForControl = async <T>(probe: Probe<T>): Promise<T | null> => {
    for (let waited = 0; waited < controlSeconds; waited += againSeconds) {
      const found = await wait(probe, Math.min(againSeconds, controlSeconds - waited))
      if (found !== null) return found
      if (driver.can.has('state') && (await step('state', () => driver.state())) === 'failed') await connect()
    }
    return null
  }
  const demand = (...actions: readonly OptionalAction[]) => {
    const missing = actions.filter((action) => !driver.can.has(action))
    if (missing.length > 0)
      throw new Untested(`needs ${missing.map((action) => `${driver.prefix}${action}`).join(' and ')}`)
  }
  const optional = (action: OptionalAction, run: () => Promise<unknown>) => async () => {
    demand(action)
    await step(action, run)
  }

  let attemptsBeforeSignIn = 0
  const signIn = async (name: UserName = 'alice'): Promise<SignedIn> => {
    const known = users[name] ?? {}
    const told = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
    const presumed = told(known['userId']) ?? name
    attemptsBeforeSignIn = signaling.attempts().length
    // Some apps ask for a token as soon as a user is signed in.
    context.beginSignIn(presumed)
    const given = told(known['sessionToken']) ?? (driver.takesSession ? makeUpSession(name) : undefined)
    const person = driver.takesSession
      ? { ...known, name, userId: presumed, sessionToken: given }
      : { ...known, name }
    const said = await step('signIn', () => driver.signIn(person))
    const { userId, sessionToken } = isRecord(said) ? said : {}
    const user = told(userId) ?? presumed
    const session = told(sessionToken) ?? given ?? null
    context.completeSignIn(user, session)
    return { name, userId: user, sessionToken: session }
  }

  const backendAsked = async (after = 0): Promise<BackendCall> => {
    const call = await waitForControl(() => backend.calls()[after])
    if (call !== null) return call
    throw missing(
      `the app did not call its token route within ${controlSeconds} s${describeOtherCalls(context)}; make client.backendUrl match the route`,
    )
  }
  const waitForAttempt = async (after = 0): Promise<ConnectionAttempt> => {
    const attempt = await waitForControl(() => signaling.attempts()[after])
    if (attempt !== null) return attempt
    throw missing(
      `the app did not connect to signaling within ${controlSeconds} s${describeOtherCalls(context)}; make client.signalingUrl match the address`,
    )
  }

  const establish = async (): Promise<Established> => {
    const before = signaling.attempts().length
    await connect()
    // An app that connects by itself has done so when the sign-in is over, and need not do so again.
    const accepted = () =>
      signaling
        .attempts()
        .find(
          ({ outcome, closedAt }, at) =>
            at >= attemptsBeforeSignIn && outcome === 'accepted' && (at >= before || closedAt === null),
        )
    const attempt = await waitForControl(accepted)
    const call = backend.calls().find(({ issued }) => issued !== null && issued === attempt?.credential)
    if (attempt !== null && call !== undefined) {
      // The client must know that it is welcome before anything else is done to the connection.
      await wait(() => attempt.hasReadWelcome || attempt.closedAt !== null, welcomeSeconds)
      await driver.waitForNetworkIdle()
      return { call, attempt }
    }
    throw await explainNotJoined()
  }
  const join = async (name?: UserName): Promise<Joined> => {
    const user = await signIn(name)
    return { user, ...(await establish()) }
  }

  /** How far it came. */
  const explainNotJoined = async (): Promise<Error> => {
    if (backend.calls().length === 0)
      return await backendAsked().then(explainNotJoined, (error: Error) => error)
    const attempt = signaling.attempts().at(-1) ?? (await waitForAttempt().catch((error: Error) => error))
    if (attempt instanceof Error) return attempt
    const isSession = context.sessions().includes(attempt.credential ?? '')
    const other =
      attempt.credential !== null && !isSession && tokenIssuer.find(attempt.credential) === undefined
    const source = other
      ? context.otherTraffic.loaded().find(({ text }) => text.includes(attempt.credential ?? ''))
      : undefined
    if (source !== undefined)
      return new Untested(
        `the calling JWT came from ${source.url.origin}${source.url.pathname}, which client.backendUrl does not match: correct it`,
      )
    const offered =
      attempt.credential === null
        ? 'no credential in the carriage of the profile'
        : isSession
          ? 'the session as credential'
          : other
            ? 'a credential that it was not given'
            : 'a calling JWT'
    return failure(`the app connected to signaling with ${offered} and was not accepted`, [attempt.exchange])
  }

  return {
    backend,
    signaling,
    demand,
    can: (action) => driver.can.has(action),
    signIn,
    signOut: async () => void (await step('signOut', () => driver.signOut())),
    connect,
    disconnect: optional('disconnect', () => driver.disconnect()),
    async configure(patch) {
      demand('configure')
      await step('configure', () => driver.configure(patch))
    },
    state: () => (driver.can.has('state') ? step('state', () => driver.state()) : Promise.resolve(null)),
    join,
    establish,
    waitForTokenCall: backendAsked,
    waitForAttempt,
    waitFor: wait,
    async waitForQuiet() {
      // A client that has yet to read an answer has yet to act on it.
      await driver.waitForNetworkIdle()
      const [call] = backend.calls()
      const [attempt] = signaling.attempts()
      const usualMs = call === undefined || attempt === undefined ? 0 : Math.max(0, attempt.at - call.at)
      const pauseMs = Math.min(longestQuietMs, Math.max(quietMs, quietTimes * usualMs))
      const isQuiet = () => recorder.now() - context.lastActivity() >= pauseMs
      const seconds = (2 * longestQuietMs) / 1000
      await wait(isQuiet, seconds)
      if (await driver.waitForSentRequests()) await wait(isQuiet, seconds)
    },
    waitOnClientClock: async (probe, seconds) => {
      await hold()
      return await advanceClock(context, driver, probe, seconds)
    },
    clientNow: context.clientNow,
    isClockDriven: driver.isClockDriven,
    async passTime(seconds) {
      demand('drivenClock')
      await driver.passTime(seconds * 1000)
      context.skipTime(seconds * 1000)
    },
    requests: context.otherTraffic.requests,
    capture: async () => [...captureTraffic(context), ...(await step('capture', () => driver.capture()))],
    issued: () => tokenIssuer.issued,
    otherOrigin: driver.otherOrigin,
    unreadHosts: driver.unreadHosts,
    forwardedUnread: driver.forwardedUnread,
    untrustedConnections: driver.untrustedConnections,
    async [Symbol.asyncDispose]() {
      context.end()
      await driver[Symbol.asyncDispose]()
    },
  }
}

/** Where the traffic went that was expected at a double. */
function describeOtherCalls({ otherTraffic }: ClientContext): string {
  const others = otherTraffic
    .requests()
    .filter(({ host, method, headers }) => host !== 'own' || method !== 'GET' || hasBearer(headers))
    .map(({ url }) => new URL(url))
    .map(({ origin, pathname }) => origin + pathname)
  const [first] = [...new Set(others)].slice(-1)
  return first === undefined ? '' : ` (it did call ${first})`
}

function hasBearer(headers: readonly (readonly [string, string])[]): boolean {
  return headers.some(([name, value]) => name === 'authorization' && /^bearer /i.test(value))
}

function makeUpSession(name: string): string {
  return `session-of-${name}-${crypto.randomUUID()}`
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? text
}
