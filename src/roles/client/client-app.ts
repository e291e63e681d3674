import { ControlLost, Untested } from '../../base/inconclusive.ts'
import { isRecord } from '../../base/tokens/decode.ts'
import { pumped } from './advance-clock.ts'
import type { ClientSurroundings } from './client-configuration.ts'
import type { Actor } from './client-driver.ts'
import type { World } from './client-world.ts'
import type { BackendCall, Dial } from './double-types.ts'
import { trafficTaps } from './traffic-capture.ts'
import type { ClientApp, Established, Joined, OptionalAction, Probe, SignedIn, UserName } from './types.ts'

/** A client that has sent nothing for so long has nothing more to send; one that never pauses is not waited for. */
const quietMs = 700
/** On a busy machine it takes longer: so many times what it took from its token to its dial. */
const quietTimes = 8
const longestQuietMs = 5000
/** How long an action may take: a login may go through several pages. */
const stepMs = 30_000
/** A person has more than one thing to do. */
const observedStepMs = 600_000

/** Puts a client and the world around it together. */
export function createApp(
  world: World,
  actor: Actor,
  { client, limits }: Pick<ClientSurroundings, 'client' | 'limits'>,
): ClientApp {
  const users = client?.users ?? {}
  const reactionSeconds = limits.clientSettleSeconds
  const { bell, backend, signaling, issuing, timeline } = world

  const failure = (message: string, evidence: readonly string[] = []): ControlLost => {
    bell.fail()
    return new ControlLost(message, evidence)
  }

  let isHeld = false
  const hold = async () => {
    if (isHeld || !actor.isClockDriven()) return
    await actor.holdClock()
    world.hold(true)
    isHeld = true
  }
  const release = async () => {
    if (!isHeld) return
    await actor.releaseClock()
    world.hold(false)
    isHeld = false
  }

  const allowedMs = actor.isPerson ? observedStepMs : stepMs
  const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
    const tooLate = `${actor.prefix}${name} did not come back within ${allowedMs / 1000} s`
    await release()
    let isOver = false
    const running = run().finally(() => {
      isOver = true
    })
    // No ring when it is over: a probe that asks for the state would wake itself in an endless loop.
    const lost = bell
      .wait(() => isOver, allowedMs)
      .then((ended) => {
        if (ended === null) throw failure(tooLate)
        return running
      })
    return await Promise.race([running, lost]).catch((error: unknown) => {
      if (error instanceof ControlLost || error instanceof Untested) throw error
      throw failure(`${actor.prefix}${name} failed: ${firstLine(error)}`)
    })
  }

  const wait = <T>(probe: Probe<T>, seconds = reactionSeconds) => bell.wait(probe, seconds * 1000)
  const demand = (...actions: readonly OptionalAction[]) => {
    const missing = actions.filter((action) => !actor.can.has(action))
    if (missing.length > 0)
      throw new Untested(`needs ${missing.map((action) => `${actor.prefix}${action}`).join(' and ')}`)
  }
  const optional = (action: OptionalAction, run: () => Promise<unknown>) => async () => {
    demand(action)
    await step(action, run)
  }

  let dialsBeforeSignIn = 0
  const signIn = async (name: UserName = 'alice'): Promise<SignedIn> => {
    const known = users[name] ?? {}
    const told = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
    const presumed = told(known['userId']) ?? name
    dialsBeforeSignIn = signaling.dials().length
    // Some apps ask for a token as soon as somebody is signed in.
    world.setUser(presumed)
    const given = told(known['sessionToken']) ?? (actor.takesSession ? madeUpSession(name) : undefined)
    const person = actor.takesSession
      ? { ...known, name, userId: presumed, sessionToken: given }
      : { ...known, name }
    const said = await step('signIn', () => actor.signIn(person))
    const { userId, sessionToken } = isRecord(said) ? said : {}
    const user = told(userId) ?? presumed
    world.setUser(user)
    const session = told(sessionToken) ?? given ?? null
    if (session !== null) world.learnSession(session)
    return { name, userId: user, sessionToken: session }
  }

  const backendAsked = async (after = 0): Promise<BackendCall> => {
    const call = await wait(() => backend.calls()[after])
    if (call !== null) return call
    throw failure(
      `the app did not call its token route within ${reactionSeconds} s${asidesOf(world)}; client.backendUrl has to match the route`,
    )
  }
  const dialled = async (after = 0): Promise<Dial> => {
    const dial = await wait(() => signaling.dials()[after])
    if (dial !== null) return dial
    throw failure(
      `the app did not dial signaling within ${reactionSeconds} s${asidesOf(world)}; client.signalingUrl has to match the address`,
    )
  }

  const establish = async (): Promise<Established> => {
    const before = signaling.dials().length
    await step('connect', () => actor.connect())
    // An app that connects by itself has done so when the sign-in is over, and need not dial again.
    const accepted = () =>
      signaling
        .dials()
        .find(
          ({ outcome, closedAt }, at) =>
            at >= dialsBeforeSignIn && outcome === 'accepted' && (at >= before || closedAt === null),
        )
    const dial = await wait(accepted)
    const call = backend.calls().find(({ issued }) => issued !== null && issued === dial?.credential)
    if (dial !== null && call !== undefined) return { call, dial }
    throw await whyNotJoined()
  }
  const join = async (name?: UserName): Promise<Joined> => {
    const user = await signIn(name)
    return { user, ...(await establish()) }
  }

  /** How far it came. */
  const whyNotJoined = async (): Promise<Error> => {
    if (backend.calls().length === 0) return await backendAsked().then(whyNotJoined, (error: Error) => error)
    const dial = signaling.dials().at(-1) ?? (await dialled().catch((error: Error) => error))
    if (dial instanceof Error) return dial
    const isSession = world.sessions().includes(dial.credential ?? '')
    const other = dial.credential !== null && !isSession && issuing.find(dial.credential) === undefined
    const source = other
      ? world.web.loaded().find(({ text }) => text.includes(dial.credential ?? ''))
      : undefined
    if (source !== undefined)
      return new Untested(
        `the calling JWT came from ${source.url.origin}${source.url.pathname}, which client.backendUrl does not match: correct it`,
      )
    const offered =
      dial.credential === null
        ? 'no credential where the profile says'
        : isSession
          ? 'the session as credential'
          : other
            ? 'another credential than it was given'
            : 'a calling JWT'
    return failure(`the app dialled signaling with ${offered} and was not accepted`, [dial.exchange])
  }

  return {
    backend,
    signaling,
    demand,
    can: (action) => actor.can.has(action),
    signIn,
    signOut: async () => void (await step('signOut', () => actor.signOut())),
    connect: async () => void (await step('connect', () => actor.connect())),
    disconnect: optional('disconnect', () => actor.disconnect()),
    async configure(patch) {
      demand('configure')
      await step('configure', () => actor.configure(patch))
    },
    state: () => (actor.can.has('state') ? step('state', () => actor.state()) : Promise.resolve(null)),
    join,
    establish,
    backendAsked,
    dialled,
    wait,
    async quiet() {
      const [call] = backend.calls()
      const [dial] = signaling.dials()
      const usualMs = call === undefined || dial === undefined ? 0 : Math.max(0, dial.at - call.at)
      const pauseMs = Math.min(longestQuietMs, Math.max(quietMs, quietTimes * usualMs))
      await wait(() => timeline.now() - world.lastActivity() >= pauseMs, (2 * longestQuietMs) / 1000)
    },
    pump: async (probe, seconds) => {
      await hold()
      return await pumped(world, actor, probe, seconds)
    },
    clientNow: world.clientNow,
    isClockDriven: actor.isClockDriven,
    async passTime(seconds) {
      demand('drivenClock')
      await actor.passTime(seconds * 1000)
      world.skip(seconds * 1000)
    },
    requests: world.web.requests,
    taps: async () => [...trafficTaps(world), ...(await step('taps', () => actor.taps()))],
    issued: () => issuing.issued,
    async [Symbol.asyncDispose]() {
      world.end()
      await actor[Symbol.asyncDispose]()
    },
  }
}

/** Where the traffic went that was expected at a double. */
function asidesOf({ web }: World): string {
  const others = web
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

function madeUpSession(name: string): string {
  return `session-of-${name}-${crypto.randomUUID()}`
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? text
}
