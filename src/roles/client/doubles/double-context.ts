import type { Secrets } from '../../../base/evidence/secrets.ts'
import { ControlLost } from '../../../base/inconclusive.ts'
import type { SigningKey } from '../../../base/tokens/signing-key.ts'
import {
  createExchangeRecorder,
  type ExchangeRecorder,
  type ExchangeRecorderOptions,
} from '../capture/exchange-recorder.ts'
import { type ChangeSignal, createChangeSignal } from '../change-signal.ts'
import type { DoublesConfiguration } from '../client-configuration.ts'
import { createForwardProxy, type ForwardProxy } from '../proxy/forward-proxy.ts'
import { classifyHosts, type Hosts, type Routes } from '../proxy/hosts.ts'
import { createTokenIssuer, type TokenIssuer } from './token-issuer.ts'

/** State that the doubles of one opened client share. */
export interface DoubleContext {
  readonly recorder: ExchangeRecorder
  readonly changeSignal: ChangeSignal
  readonly tokenIssuer: TokenIssuer
  readonly hosts: Hosts
  readonly forwardProxy: ForwardProxy
  /** The client is told where the doubles are: nothing that it asks of their address is forwarded. */
  readonly isTold: boolean
  /**
   * Says whether so many more bytes that the client sent or loaded may be kept. Where they may not, the
   * client is lost: bytes that are not kept cannot be searched.
   */
  keep(bytes: number): boolean
  /** Milliseconds on the client's clock since it was opened. */
  clientNow(): number
  /** The client's clock was run ahead, and the doubles' idea of now with it. */
  skipTime(ms: number): void
  /** Real time passes for the client, or does not. */
  holdTime(isHeld: boolean): void
  /** The client has begun something. */
  noteActivity(): void
  lastActivity(): number
  /** Whom the tokens from now on are for, as far as is known before the sign-in is over. */
  beginSignIn(presumedUserId: string): void
  completeSignIn(userId: string, sessionToken: string | null): void
  userOf(bearer: string | null): string
  userOfAttempt(attempt: { readonly credential: string | null; readonly declaredUser: string | null }): string
  /** A session that was sent: of the user who was signed in when it was first seen. */
  learnSession(sessionToken: string): void
  sessions(): readonly string[]
  /** The values that must not get where they do not belong: sessions and calling JWTs. */
  secrets(): readonly string[]
}

export interface DoubleContextOptions extends ExchangeRecorderOptions {
  readonly secrets: Secrets
  readonly configuration: DoublesConfiguration
  readonly testKey: SigningKey | null
  readonly ca: readonly string[] | undefined
  /** Where the doubles are for a client that is told so; null where its traffic is led to them. */
  readonly routes: Routes | null
  /** The client is another machine, which gets to loopback addresses of this one only where they are the customer's. */
  readonly isFenced?: boolean
  /** Bytes that are kept of what the client sent and loaded. */
  readonly mostKept?: number
}

/** Bound for the texts of one opened client. They are searched, and so are all in memory. */
const mostKeptBytes = 256 * 1_048_576
/** Cost of an entry apart from its text. */
const entryBytes = 1024

/** Too short to be a secret, and found everywhere. */
const shortestSession = 6

interface User {
  userId: string
}

export function createDoubleContext(options: DoubleContextOptions): DoubleContext {
  const { configuration, testKey, secrets, ca, routes, isFenced = false, mostKept = mostKeptBytes } = options
  const hosts = classifyHosts(configuration, routes)
  const recorder = createExchangeRecorder(options)
  let skippedMs = 0
  const wall = () => Date.now() + skippedMs
  const tokenIssuer = createTokenIssuer(testKey, configuration.token, secrets, {
    monotonic: recorder.now,
    wall,
  })
  const openedAt = recorder.now()
  const users = new Map<string, User>()
  let current: User = { userId: 'signed-out' }
  let heldMs = 0
  let activeAt = openedAt
  let heldAt: number | null = null
  let keptBytes = 0
  const changeSignal = createChangeSignal()
  const assign = (sessionToken: string) => {
    if (sessionToken.length < shortestSession || tokenIssuer.find(sessionToken) !== undefined) return
    secrets.learn('session', sessionToken)
    users.set(sessionToken, current)
  }
  return {
    recorder,
    changeSignal,
    tokenIssuer,
    hosts,
    forwardProxy: createForwardProxy(ca, (url) => isFenced && hosts.kindOf(url) !== 'own'),
    isTold: routes !== null,
    keep(bytes) {
      keptBytes += entryBytes + bytes
      if (keptBytes <= mostKept) return true
      changeSignal.abort(
        new ControlLost(
          `the client sent and loaded more than ${mostKept / 1_048_576} MB while it was open; expected so much at most, since all of it is searched for secrets`,
        ),
      )
      return false
    },
    clientNow: () => (heldAt ?? recorder.now()) - openedAt - heldMs + skippedMs,
    skipTime(ms) {
      skippedMs += ms
    },
    noteActivity() {
      activeAt = recorder.now()
    },
    lastActivity: () => activeAt,
    holdTime(isHeld) {
      const now = recorder.now()
      if (heldAt !== null && !isHeld) heldMs += now - heldAt
      heldAt = isHeld ? now : null
    },
    beginSignIn(presumedUserId) {
      current = { userId: presumedUserId }
    },
    completeSignIn(userId, sessionToken) {
      current.userId = userId
      if (sessionToken !== null) assign(sessionToken)
    },
    userOf: (bearer) => (users.get(bearer ?? '') ?? current).userId,
    userOfAttempt: ({ credential, declaredUser }) =>
      tokenIssuer.find(credential ?? '')?.userId ?? declaredUser ?? current.userId,
    learnSession(sessionToken) {
      if (!users.has(sessionToken)) assign(sessionToken)
    },
    sessions: () => [...users.keys()],
    secrets: () => [...users.keys(), ...tokenIssuer.issued.map(({ jwt }) => jwt)],
  }
}
