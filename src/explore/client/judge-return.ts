import type { ClientApp, ConnectionAttempt } from '../../roles/client/types.ts'
import type { OwnBreach } from './judge-attempts.ts'
import { type ClientModel, openAttempts } from './model.ts'
import type { Surroundings } from './surroundings.ts'

export interface ReturnContext {
  readonly app: ClientApp
  readonly model: ClientModel
  readonly surroundings: Surroundings
  /** `limits.reconnectSeconds`. */
  readonly seconds: number
}

/** How many times `limits.reconnectSeconds` a clock is advanced before a client is accused. */
const longer = 9

/** Until the user is welcome; null where that has not happened within the seconds. */
export function waitUntilWelcome(app: ClientApp, seconds: number): Promise<true | null> {
  return app.waitOnClientClock(() => isWelcome(app) || null, seconds)
}

function isWelcome({ signaling }: ClientApp): boolean {
  return openAttempts(signaling.attempts()).some(({ hasReadWelcome }) => hasReadWelcome)
}

/** Judges a client that is not connected after `seconds`, although it should be and everything accepts it. */
export async function judgeAbsence(context: ReturnContext): Promise<OwnBreach[]> {
  const { app, seconds } = context
  const evidence = [...app.backend.calls().slice(-3), ...app.signaling.attempts().slice(-3)].map(
    ({ exchange }) => exchange,
  )
  // Delays that double may be as long as the story so far.
  const isAbsent = async () =>
    (await waitUntilWelcome(
      app,
      Math.max(app.isClockDriven() ? longer * seconds : seconds, (2 * app.clientNow()) / 1000),
    )) === null
  if (mustReturn(context))
    return [
      {
        invariant: 'EXP-37',
        saw: `no connection ${seconds} s after backend and signaling accepted everything again`,
        expected: 'a reconnect, with a new calling JWT where the last one was rejected (5.6)',
        fix: 'Begin counts anew with each connection, and leave no lock, timer or promise of an earlier failure behind.',
        evidence,
        confirm: isAbsent,
      },
    ]
  const said = await sayingUp(app)
  if (said === null || !isSilent(context)) return []
  return [
    {
      invariant: 'EXP-38',
      saw: `a client that says "${said}", without a connection and without another call or handshake for ${seconds} s`,
      expected: 'a connection, another attempt, or a state that reports the failure (4.2)',
      fix: 'Let every failed attempt end in a state of its own or in another attempt.',
      evidence,
      confirm: async () => (await isAbsent()) && (await sayingUp(app)) !== null && isSilent(context),
    },
  ]
}

/**
 * A client may give up after a failure of the backend, of a second token, or of its first handshake by anything but a 401;
 * and one that cannot see why a handshake failed may go on with a token that stays rejected.
 */
function mustReturn({ app, model, surroundings }: ReturnContext): boolean {
  const { since, wasWelcome, wants } = model
  if (wants !== 'connection' || surroundings.failedCalls().length > since.failedCalls) return false
  const attempts = app.signaling.attempts().slice(since.attempts)
  const failed = attempts.filter(({ outcome }) => outcome !== 'accepted')
  if (failed.some(surroundings.isRejectedUnseen)) return false
  const tokens = new Set(failed.map(({ credential }: ConnectionAttempt) => credential))
  if (wasWelcome) return tokens.size <= 1
  return tokens.size === 1 && failed.every((attempt) => surroundings.isRejected(attempt))
}

/**
 * Returns the client's state where it says that it is connected, or about to be. Null where it says otherwise
 * or nothing.
 */
async function sayingUp(app: ClientApp): Promise<'connecting' | 'connected' | null> {
  const said = await app.state()
  return said === 'connecting' || said === 'connected' ? said : null
}

function isSilent({ app, seconds }: ReturnContext): boolean {
  const last = Math.max(
    0,
    ...[...app.backend.calls(), ...app.signaling.attempts()].map(({ clientAt }) => clientAt),
  )
  return app.clientNow() - last >= seconds * 900
}
