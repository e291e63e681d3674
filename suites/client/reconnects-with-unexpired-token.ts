import { ControlLost } from '../../src/base/inconclusive.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import type { Judge, Observed } from '../../src/requirement/judge.ts'
import type { Client, ClientApp, ConnectionAttempt } from '../../src/roles/client/types.ts'
import { adviseFreshToken } from './lib/judge-renewal.ts'

const lifetimeSeconds = 60
/** Where the clock cannot be set, the check waits for a short lifetime. */
const shortLifetimeSeconds = 2
const tenMinutesMs = 600_000
/** On the client's clock: how long a page that is shown again may take to connect anew, if it does. */
const resumeSeconds = 10

export default defineCheck({
  id: 'CLI-09',
  level: 'SHOULD',
  kind: 'positive',
  clauses: ['5.5'],
  title: 'reconnects with an unexpired token, even with clock skew',
  why: 'A device with a wrong clock must connect too: the client cannot tell from its own clock whether a cached token is valid.',
  how: {
    does: [
      'A user connects. A page is hidden for longer than the lifetime of its token, and shown again; then the user disconnects.',
      'After the lifetime of the token, for the client and for signaling alike, the user connects again with a correct clock, with one that is ten minutes slow, and with one that is ten minutes fast.',
    ],
    warns: [
      'An expired token in the first handshake, or in one of a page that is shown again.',
      'A client with a wrong clock that takes fresh tokens and connects with none of them, while the one with a correct clock connects.',
    ],
  },
  needs: ['client', 'signalingDouble'],
  async run({ client }, judge) {
    const offsets = [0, -tenMinutesMs, tenMinutesMs]
    const usual = reconnect(client, 0, judge)
    const outcomes = await Promise.all(
      offsets.map(async (offsetMs) => {
        if (offsetMs === 0) return await usual
        try {
          return await reconnect(client, offsetMs, judge)
        } catch (error) {
          // A client that is lost for another reason fails with a correct clock, too.
          await usual
          if (error instanceof Discarded) return error.breach
          throw error
        }
      }),
    )
    for (const [index, outcome] of outcomes.entries())
      if (outcome !== null) judge.should(!outcome.isBreach, outcome)
      else judge.untested(`the clock of a ${client.kind} cannot be set ${clockText(offsets[index] ?? 0)}`)
  },
})

function clockText(offsetMs: number): string {
  if (offsetMs === 0) return 'correct'
  return offsetMs < 0 ? 'ten minutes slow' : 'ten minutes fast'
}

interface Outcome extends Observed {
  readonly isBreach: boolean
}

/** Connects, and connects once more when the token has expired; null where the client's clock cannot be set. */
async function reconnect(
  client: Client,
  offsetMs: number,
  judge: Pick<Judge, 'should'>,
): Promise<Outcome | null> {
  const canDrive = client.kind === 'page'
  if (!canDrive && offsetMs !== 0) return null
  await using app = await client.open(canDrive ? { drivenClock: { offsetMs } } : {})
  const lifetime = canDrive ? lifetimeSeconds : shortLifetimeSeconds
  app.backend.lifetime(lifetime)
  await joinWithFresh(app, offsetMs)
  if (canDrive && offsetMs === 0) await judgeResumed(app, judge)
  app.demand('disconnect')
  await app.disconnect()
  const isClosed = () => app.signaling.attempts().every(({ closedAt }) => closedAt !== null)
  await app.waitFor(isClosed)
  if (!isClosed())
    throw new ControlLost(
      'the client kept its socket open after disconnect: have disconnect in client.driver close it',
      app.signaling.attempts().map(({ exchange }) => exchange),
    )
  if (app.can('drivenClock')) await app.passTime(lifetime + 1)
  else await app.waitFor(() => false, lifetime + 1)
  const before = app.signaling.attempts().length
  await app.connect()
  const attempt = await app.waitForAttempt(before)
  await app.waitFor(() => attempt.outcome !== null)
  if (attempt.outcome === null)
    throw new ControlLost('a handshake was not decided in time', [attempt.exchange])
  const clock = clockText(offsetMs)
  const isBreach = isRefusedAsExpired(app, attempt)
  return {
    isBreach,
    case: `a clock that is ${clock}`,
    saw: `an expired calling JWT in the first handshake after its expiry, with a clock that is ${clock}`,
    expected: 'an unexpired calling JWT (5.5)',
    fix: isBreach ? await adviseFreshToken(app, usualAdvice) : usualAdvice,
    evidence: [attempt.exchange],
  }
}

const usualAdvice = 'Call getAuthToken for every connection and keep no token.'

/** The double refuses a token that it knows only when it has expired. */
function isRefusedAsExpired(app: ClientApp, { outcome, credential }: ConnectionAttempt): boolean {
  return outcome === 'refused' && app.issued().some(({ jwt }) => jwt === credential)
}

/** A page may keep its socket while it is hidden, or connect anew when it is shown: then with unexpired tokens alone. */
async function judgeResumed(app: ClientApp, judge: Pick<Judge, 'should'>): Promise<void> {
  const before = await app.passTimeHidden(lifetimeSeconds + 1)
  const later = () => app.signaling.attempts().slice(before)
  const findExpired = () => later().find((attempt) => isRefusedAsExpired(app, attempt))
  const expired = await app.waitOnClientClock(findExpired, resumeSeconds)
  if (expired === null) return
  judge.should(false, {
    case: 'a page that is shown again',
    saw: 'an expired calling JWT in a handshake of a page that is shown again after the lifetime of the JWT',
    expected: 'an unexpired calling JWT (5.5)',
    fix: await adviseFreshToken(app, usualAdvice),
    evidence: [expired.exchange],
  })
}

/** The client was given fresh tokens and connected with none of them. */
class Discarded extends ControlLost {
  readonly breach: Outcome

  constructor(breach: Outcome) {
    super('the client connected with none of its fresh calling JWTs', breach.evidence)
    this.breach = breach
  }
}

async function joinWithFresh(app: ClientApp, offsetMs: number): Promise<void> {
  try {
    await app.join()
  } catch (error) {
    const given = app.backend.calls().filter(({ issued, status }) => issued !== null && status === 200)
    if (offsetMs === 0 || given.length === 0 || app.signaling.attempts().length > 0) throw error
    const clock = clockText(offsetMs)
    throw new Discarded({
      isBreach: true,
      case: `a clock that is ${clock}`,
      saw: `${given.length} fresh calling JWT${given.length === 1 ? '' : 's'} from the token route and no handshake, with a clock that is ${clock}; with a correct clock the client connects`,
      expected: 'a handshake with the fresh calling JWT (5.5)',
      fix: 'Leave it to signaling whether a token has expired: the clock of a device may be wrong.',
      evidence: given.map(({ exchange }) => exchange),
    })
  }
}
