import type { Actor } from './client-driver.ts'
import type { World } from './client-world.ts'
import type { FrontDoor } from './doubles-server.ts'
import type { DriverUser } from './page-driver.ts'
import type { OptionalAction } from './types.ts'

/** Whoever has the device in their hand. */
export interface Observer {
  /** Shows an instruction; resolves when it has been followed, at the latest when `seen` has. */
  ask(instruction: string, seen?: Promise<unknown>): Promise<void>
  tell(text: string): void
}

const patienceMs = 600_000

/** A client that nobody can operate but a person: it is told what to do next, and judged by its traffic alone. */
export async function observeDevice(world: World, door: FrontDoor, observer: Observer): Promise<Actor> {
  const { bell, backend, signaling } = world
  observer.tell(
    [
      'Set in the app:',
      `  token route  ${door.backendUrl}`,
      `  signalingUrl ${door.signalingUrl}`,
      ...(door.caFile === null ? [] : [`  trust        ${door.caFile}`]),
    ].join('\n'),
  )
  await observer.ask('Start the app afresh, with nobody signed in.')
  const traffic = () => backend.calls().length + signaling.dials().length
  const connect = async () => {
    const before = traffic()
    const seen = bell.wait(() => traffic() > before, patienceMs)
    seen.catch(() => undefined)
    await observer.ask('Connect now.', seen)
  }
  const can: ReadonlySet<OptionalAction> = new Set(['disconnect'])
  return {
    prefix: 'a device that is observed cannot be asked to ',
    isPerson: true,
    takesSession: false,
    can,
    signIn: (user) => observer.ask(`Sign in as ${whom(user)}. Do not connect yet.`),
    connect,
    signOut: () => observer.ask('Sign out now.'),
    disconnect: () => observer.ask('Disconnect now, and stay signed in.'),
    configure: () => Promise.resolve(),
    state: () => Promise.resolve(null),
    taps: () => Promise.resolve([]),
    isClockDriven: () => false,
    holdClock: () => Promise.resolve(),
    releaseClock: () => Promise.resolve(),
    runClock: () => Promise.resolve(),
    arrived: () => Promise.resolve(),
    passTime: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => door[Symbol.asyncDispose](),
  }
}

function whom({ name, userId }: DriverUser): string {
  return typeof userId === 'string' && userId !== name ? `${name} (userId ${userId})` : name
}
