import { ClientHalted, ControlLost, type Halt, Untested } from '../../base/inconclusive.ts'
import {
  arrivalMs,
  clientStepMs,
  firstClockStepMs,
  leastControlSeconds,
  longerThanClientsWaitSeconds,
  longestQuietMs,
  observedStepMs,
  pongSeconds,
  quietClientMs,
} from '../../base/times.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import { captureTraffic } from './capture/traffic-capture.ts'
import type { DoublesConfiguration } from './client-configuration.ts'
import type { ClientContext } from './client-context.ts'
import { type ClientDriver, RejectedByClient } from './client-driver.ts'
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

/** On a busy machine it takes longer: so many times what it took from its token to its connection attempt. */
const quietTimes = 8
/** The steps of a client's clock get longer the longer it takes, so that an hour costs no more than a minute. */
const stepGrowth = 0.05

interface App {
  readonly context: ClientContext
  readonly driver: ClientDriver
  readonly users: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly reactionSeconds: number
  readonly controlSeconds: number
  readonly allowedMs: number
  /** The client's answer to `connect`, where it refused. */
  rejection: string | null
  isClockHeld: boolean
  attemptsBeforeSignIn: number
}

/** Puts a client and its context together. */
export function createClientApp(
  context: ClientContext,
  driver: ClientDriver,
  { client, limits }: Pick<DoublesConfiguration, 'client' | 'limits'>,
): ClientApp {
  const reactionSeconds = limits.clientSettleSeconds
  const app: App = {
    context,
    driver,
    users: client?.users ?? {},
    reactionSeconds,
    controlSeconds: Math.max(leastControlSeconds, reactionSeconds),
    allowedMs: driver.isPerson ? observedStepMs : clientStepMs,
    rejection: null,
    isClockHeld: false,
    attemptsBeforeSignIn: 0,
  }
  return {
    backend: context.backend,
    signaling: context.signaling,
    demand: (...actions) => demand(app, ...actions),
    can: (action) => driver.can.has(action),
    signIn: (name) => signIn(app, name),
    signOut: async () => void (await step(app, 'signOut', () => driver.signOut())),
    connect: () => connect(app),
    async disconnect() {
      demand(app, 'disconnect')
      await step(app, 'disconnect', () => driver.disconnect())
    },
    async configure(patch) {
      demand(app, 'configure')
      await step(app, 'configure', () => driver.configure(patch))
    },
    state: () => (driver.can.has('state') ? step(app, 'state', () => driver.state()) : Promise.resolve(null)),
    join: (name) => join(app, name),
    establish: () => establish(app),
    explainNotJoined: () => explainNotJoined(app),
    waitForTokenCall: (after) => backendAsked(app, after),
    waitForAttempt: (after) => waitForAttempt(app, after),
    waitFor: (probe, seconds) => wait(app, probe, seconds),
    waitForQuiet: () => waitForQuiet(app),
    waitOnClientClock: (probe, seconds) => waitOnClientClock(app, probe, seconds),
    clientNow: context.clientNow,
    isClockDriven: driver.isClockDriven,
    passTime: (seconds) => passTime(app, seconds),
    async passTimeHidden(seconds) {
      await driver.setVisible(false)
      await passTime(app, seconds)
      const { length } = context.signaling.attempts()
      await driver.setVisible(true)
      return length
    },
    requests: context.otherTraffic.requests,
    capture: async () => [
      ...captureTraffic(context),
      ...(await step(app, 'capture', () => driver.capture())),
    ],
    issued: () => context.tokenIssuer.issued,
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

async function passTime(app: App, seconds: number): Promise<void> {
  demand(app, 'drivenClock')
  // First, so that what the jump causes has the later instant, however soon it comes.
  app.context.skipTime(seconds * 1000)
  await app.driver.passTime(seconds * 1000)
}

async function waitForQuiet(app: App): Promise<void> {
  const { context, driver } = app
  // A client that has yet to read an answer has yet to act on it.
  await driver.waitForNetworkIdle()
  const [call] = context.backend.calls()
  const [attempt] = context.signaling.attempts()
  const usualMs = call === undefined || attempt === undefined ? 0 : Math.max(0, attempt.at - call.at)
  const pauseMs = Math.min(longestQuietMs, Math.max(quietClientMs, quietTimes * usualMs))
  const isQuiet = () => context.recorder.now() - context.lastActivity() >= pauseMs
  const seconds = (2 * longestQuietMs) / 1000
  await wait(app, isQuiet, seconds)
  if (await driver.waitForSentRequests()) await wait(app, isQuiet, seconds)
}

function failure(app: App, message: string, evidence: readonly string[] = [], halt?: Halt): ControlLost {
  app.context.changeSignal.markFailed()
  return halt === undefined ? new ControlLost(message, evidence) : new ClientHalted(halt, message, evidence)
}

/** Explains a missing message, which may have been sent where it could not be read. */
function missing(app: App, absence: string, halt: Halt): ControlLost | Untested {
  const message =
    app.rejection === null ? absence : `${absence}; ${app.driver.prefix}answer to connect: ${app.rejection}`
  const unread = app.driver.unreadHosts().map(({ host, reason }) => `${host} (${reason})`)
  if (unread.length > 0)
    return new Untested(`${message}; the proxy could not read what was sent to ${unread.join('; ')}`)
  if (app.driver.isProxied)
    return new Untested(
      `${message}; an app that ignores the system proxy (Flutter) or uses QUIC cannot be observed`,
    )
  return failure(app, message, [], halt)
}

async function hold(app: App) {
  if (app.isClockHeld || !app.driver.isClockDriven()) return
  await app.driver.holdClock()
  app.context.holdTime(true)
  app.isClockHeld = true
}

async function release(app: App) {
  if (!app.isClockHeld) return
  await app.driver.releaseClock()
  app.context.holdTime(false)
  app.isClockHeld = false
}

/** Waits in seconds of the client's own clock, and runs it ahead where it can be driven; `null` where the probe stays so. */
async function waitOnClientClock<T>(app: App, probe: Probe<T>, seconds: number): Promise<T | null> {
  await hold(app)
  const { context, driver } = app
  const { changeSignal } = context
  const begin = context.clientNow()
  const end = begin + seconds * 1000
  for (;;) {
    if (!driver.isClockDriven())
      return await changeSignal.waitFor(probe, Math.max(0, end - context.clientNow()))
    await driver.waitForNetworkIdle()
    await changeSignal.waitFor(() => !isBusy(context), arrivalMs)
    const found = await changeSignal.waitFor(probe, 0)
    if (found !== null || context.clientNow() >= end) return found
    const elapsedMs = context.clientNow() - begin
    const stepMs = Math.max(firstClockStepMs, Math.round(elapsedMs * stepGrowth))
    // First, so that what the step causes has the same instant, however soon it comes.
    context.skipTime(stepMs)
    await driver.runClock(stepMs)
    await changeSignal.waitFor(() => false, 5)
  }
}

/** Something is under way that the client waits for. */
function isBusy({ backend, signaling }: ClientContext): boolean {
  return (
    backend.calls().some(({ status, givenUpAt }) => status === null && givenUpAt === null) ||
    signaling.attempts().some(({ outcome, closedAt }) => outcome === null && closedAt === null)
  )
}

async function step<T>(app: App, name: string, run: () => Promise<T>): Promise<T> {
  const tooLate = `${app.driver.prefix}${name} did not return within ${app.allowedMs / 1000} s`
  await release(app)
  let isOver = false
  const running = run().finally(() => {
    isOver = true
  })
  // No ring when it is over: a probe that asks for the state would wake itself in an endless loop.
  const lost = app.context.changeSignal
    .waitFor(() => isOver, app.allowedMs)
    .then((ended) => {
      if (ended === null) throw failure(app, tooLate)
      return running
    })
  return await Promise.race([running, lost]).catch((error: unknown) => {
    if (error instanceof ControlLost || error instanceof Untested) throw error
    throw failure(app, `${app.driver.prefix}${name} failed: ${firstLine(error)}`)
  })
}

/** A client that refuses to connect, or says that it could not, has been told to: what it sends decides. */
async function connect(app: App) {
  app.rejection = null
  await step(app, 'connect', async () => {
    try {
      await app.driver.connect()
    } catch (error) {
      if (!(error instanceof RejectedByClient)) throw error
      app.rejection = firstLine(error)
    }
  })
}

function wait<T>(app: App, probe: Probe<T>, seconds = app.reactionSeconds) {
  return app.context.changeSignal.waitFor(probe, seconds * 1000)
}

/** Asks a client to connect once more where its deadline ended the first try, as may happen on a busy machine. */
async function waitForControl<T>(app: App, probe: Probe<T>): Promise<T | null> {
  for (let waited = 0; waited < app.controlSeconds; waited += longerThanClientsWaitSeconds) {
    const found = await wait(app, probe, Math.min(longerThanClientsWaitSeconds, app.controlSeconds - waited))
    if (found !== null) return found
    if (app.driver.can.has('state') && (await step(app, 'state', () => app.driver.state())) === 'failed')
      await connect(app)
  }
  return null
}

function demand(app: App, ...actions: readonly OptionalAction[]) {
  const missing = actions.filter((action) => !app.driver.can.has(action))
  if (missing.length > 0)
    throw new Untested(`needs ${missing.map((action) => `${app.driver.prefix}${action}`).join(' and ')}`)
}

async function signIn(app: App, name: UserName = 'alice'): Promise<SignedIn> {
  const known = app.users[name] ?? {}
  const { takesSession } = app.driver
  const told = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const presumed = told(known['userId']) ?? name
  app.attemptsBeforeSignIn = app.context.signaling.attempts().length
  // Some apps ask for a token as soon as a user is signed in.
  app.context.beginSignIn(presumed)
  const given =
    told(known['sessionToken']) ?? (takesSession ? `session-of-${name}-${crypto.randomUUID()}` : undefined)
  const person = { ...known, name, ...(takesSession && { userId: presumed, sessionToken: given }) }
  const said = await step(app, 'signIn', () => app.driver.signIn(person))
  const { userId, sessionToken } = isRecord(said) ? said : {}
  const user = told(userId) ?? presumed
  const session = told(sessionToken) ?? given ?? null
  app.context.completeSignIn(user, session)
  return { name, userId: user, sessionToken: session }
}

async function backendAsked(app: App, after = 0): Promise<BackendCall> {
  const call = await waitForControl(app, () => app.context.backend.calls()[after])
  const advice = 'make client.backendUrl match the route, or have a program call TWOTOKEN_BACKEND_URL'
  return call ?? notSeen(app, 'call its token route', advice, 'asked for no token')
}

async function waitForAttempt(app: App, after = 0): Promise<ConnectionAttempt> {
  const attempt = await waitForControl(app, () => app.context.signaling.attempts()[after])
  const advice =
    'make client.signalingUrl match the address, or have a program connect to TWOTOKEN_SIGNALING_URL'
  return attempt ?? notSeen(app, 'connect to signaling', advice, 'made no connection')
}

function notSeen(app: App, what: string, advice: string, halt: Halt): never {
  const others = describeOtherCalls(app.context)
  throw missing(app, `the app did not ${what} within ${app.controlSeconds} s${others}; ${advice}`, halt)
}

async function establish(app: App): Promise<Established> {
  const before = app.context.signaling.attempts().length
  await connect(app)
  // An app that connects by itself has done so when the sign-in is over, and need not do so again.
  const accepted = () =>
    app.context.signaling
      .attempts()
      .find(
        ({ outcome, closedAt }, at) =>
          at >= app.attemptsBeforeSignIn && outcome === 'accepted' && (at >= before || closedAt === null),
      )
  const attempt = await waitForControl(app, accepted)
  const call = app.context.backend
    .calls()
    .find(({ issued }) => issued !== null && issued === attempt?.credential)
  if (attempt !== null && call !== undefined) {
    // The client must know that it is welcome before anything else is done to the connection.
    await wait(app, () => attempt.hasReadWelcome || attempt.closedAt !== null, pongSeconds)
    await app.driver.waitForNetworkIdle()
    return { call, attempt }
  }
  throw await explainNotJoined(app)
}

async function join(app: App, name?: UserName): Promise<Joined> {
  const user = await signIn(app, name)
  return { user, ...(await establish(app)) }
}

/** Explains how far the app came. */
async function explainNotJoined(app: App): Promise<Error> {
  if (app.context.backend.calls().length === 0)
    return await backendAsked(app).then(
      () => explainNotJoined(app),
      (error: Error) => error,
    )
  const attempt =
    app.context.signaling.attempts().at(-1) ?? (await waitForAttempt(app).catch((error: Error) => error))
  if (attempt instanceof Error) return attempt
  const isSession = app.context.sessions().includes(attempt.credential ?? '')
  const other =
    attempt.credential !== null &&
    !isSession &&
    app.context.tokenIssuer.find(attempt.credential) === undefined
  const source = other
    ? app.context.otherTraffic.loaded().find(({ text }) => text.includes(attempt.credential ?? ''))
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
  return failure(
    app,
    `the app connected to signaling with ${offered} and was not accepted`,
    [attempt.exchange],
    isSession ? 'offered its session' : undefined,
  )
}

/** Where the traffic went that was expected at a double. */
function describeOtherCalls({ otherTraffic }: ClientContext): string {
  const others = otherTraffic
    .requests()
    .filter(({ host, method, headers }) => host !== 'own' || method !== 'GET' || headers.some(isBearer))
    .map(({ url }) => new URL(url))
    .map(({ origin, pathname }) => origin + pathname)
  const [first] = [...new Set(others)].slice(-1)
  return first === undefined ? '' : ` (it did call ${first})`
}

function isBearer([name, value]: readonly [string, string]): boolean {
  return name === 'authorization' && /^bearer /i.test(value)
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? text
}
