import type { SigningKey } from '../../base/tokens/signing-key.ts'
import { type Bell, createBell } from './change-signal.ts'
import type { ClientSurroundings } from './client-configuration.ts'
import { createTimeline, type Timeline, type TimelineOptions } from './exchange-recorder.ts'
import { type PassingOn, passingOn } from './forward-proxy.ts'
import { type Hosts, hostsOf, type Routes } from './hosts.ts'
import { createIssuing, type Issuing } from './token-issuer.ts'

/** What the doubles of one opened client share. */
export interface Ground {
  readonly timeline: Timeline
  readonly bell: Bell
  readonly issuing: Issuing
  readonly hosts: Hosts
  readonly passing: PassingOn
  /** Milliseconds on the client's clock since it was opened. */
  clientNow(): number
  /** The client's clock was run ahead, and the doubles' idea of now with it. */
  skip(ms: number): void
  /** Real time passes for the client, or does not. */
  hold(isHeld: boolean): void
  /** The client has begun something. */
  touch(): void
  lastActivity(): number
  /** Whom the tokens from now on are for. */
  setUser(userId: string): void
  userOf(bearer: string | null): string
  userOfDial(dial: { readonly credential: string | null; readonly declaredUser: string | null }): string
  /** A session of the user who is signed in. */
  learnSession(sessionToken: string): void
  sessions(): readonly string[]
  /** The values that must not get where they do not belong: sessions and calling JWTs. */
  secrets(): readonly string[]
}

export interface GroundOptions extends TimelineOptions {
  readonly configuration: ClientSurroundings
  readonly testKey: SigningKey | null
  readonly ca: readonly string[] | undefined
  /** Where the doubles are for a client that is told so; null where its traffic is led to them. */
  readonly routes: Routes | null
}

/** Too short to be a secret, and found everywhere. */
const shortestSession = 6

export function createGround(options: GroundOptions): Ground {
  const { configuration, testKey, redactor, ca, routes } = options
  const timeline = createTimeline(options)
  let skippedMs = 0
  const wall = () => Date.now() + skippedMs
  const issuing = createIssuing(testKey, configuration.token, redactor, { monotonic: timeline.now, wall })
  const openedAt = timeline.now()
  const users = new Map<string, string>()
  let current = 'nobody'
  let heldMs = 0
  let activeAt = openedAt
  let heldAt: number | null = null
  return {
    timeline,
    bell: createBell(),
    issuing,
    hosts: hostsOf(configuration, routes),
    passing: passingOn(ca),
    clientNow: () => (heldAt ?? timeline.now()) - openedAt - heldMs + skippedMs,
    skip(ms) {
      skippedMs += ms
    },
    touch() {
      activeAt = timeline.now()
    },
    lastActivity: () => activeAt,
    hold(isHeld) {
      const now = timeline.now()
      if (heldAt !== null && !isHeld) heldMs += now - heldAt
      heldAt = isHeld ? now : null
    },
    setUser(userId) {
      current = userId
    },
    userOf: (bearer) => users.get(bearer ?? '') ?? current,
    userOfDial: ({ credential, declaredUser }) =>
      issuing.find(credential ?? '')?.userId ?? declaredUser ?? current,
    learnSession(sessionToken) {
      if (sessionToken.length < shortestSession || issuing.find(sessionToken) !== undefined) return
      redactor.register('session', sessionToken)
      users.set(sessionToken, current)
    },
    sessions: () => [...users.keys()],
    secrets: () => [...users.keys(), ...issuing.issued.map(({ jwt }) => jwt)],
  }
}
