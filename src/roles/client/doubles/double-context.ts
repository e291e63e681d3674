import type { Secrets } from '../../../base/evidence/secrets.ts'
import { ControlLost } from '../../../base/inconclusive.ts'
import type { SigningKey } from '../../../base/tokens/signing-key.ts'
import { createExchangeRecorder, type ExchangeRecorderOptions } from '../capture/exchange-recorder.ts'
import { createChangeSignal } from '../change-signal.ts'
import type { DoublesConfiguration } from '../client-configuration.ts'
import { createForwardProxy } from '../proxy/forward-proxy.ts'
import { classifyHosts, type Routes } from '../proxy/hosts.ts'
import type { ConnectionAttempt } from '../types.ts'
import { createTokenIssuer } from './token-issuer.ts'

/** State that the doubles of one opened client share. */
export type DoubleContext = ReturnType<typeof createDoubleContext>

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

export function createDoubleContext(options: DoubleContextOptions) {
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
    /** The client is told where the doubles are: nothing that it asks of their address is forwarded. */
    isTold: routes !== null,
    /** Says whether more bytes may be kept. Otherwise the client is lost: bytes that are not kept cannot be searched. */
    keep(bytes: number): boolean {
      keptBytes += entryBytes + bytes
      if (keptBytes <= mostKept) return true
      changeSignal.abort(
        new ControlLost(
          `the client sent and loaded more than ${mostKept / 1_048_576} MB while it was open; expected so much at most, since all of it is searched for secrets`,
        ),
      )
      return false
    },
    /** Milliseconds on the client's clock since it was opened. */
    clientNow: () => (heldAt ?? recorder.now()) - openedAt - heldMs + skippedMs,
    /** The client's clock was run ahead, and the doubles' idea of now with it. */
    skipTime(ms: number): void {
      skippedMs += ms
    },
    noteActivity(): void {
      activeAt = recorder.now()
    },
    lastActivity: () => activeAt,
    /** Real time passes for the client, or does not. */
    holdTime(isHeld: boolean): void {
      const now = recorder.now()
      if (heldAt !== null && !isHeld) heldMs += now - heldAt
      heldAt = isHeld ? now : null
    },
    /** Whom the tokens from now on are for, as far as is known before the sign-in is over. */
    beginSignIn(presumedUserId: string): void {
      current = { userId: presumedUserId }
    },
    completeSignIn(userId: string, sessionToken: string | null): void {
      current.userId = userId
      if (sessionToken !== null) assign(sessionToken)
    },
    userOf: (bearer: string | null) => (users.get(bearer ?? '') ?? current).userId,
    userOfAttempt: ({ credential, declaredUser }: Pick<ConnectionAttempt, 'credential' | 'declaredUser'>) =>
      tokenIssuer.find(credential ?? '')?.userId ?? declaredUser ?? current.userId,
    /** A session that was sent: of the user who was signed in when it was first seen. */
    learnSession(sessionToken: string): void {
      if (!users.has(sessionToken)) assign(sessionToken)
    },
    sessions: (): readonly string[] => [...users.keys()],
    /** The values that must not get where they do not belong. */
    secrets: (): readonly string[] => [...users.keys(), ...tokenIssuer.issued.map(({ jwt }) => jwt)],
  }
}
