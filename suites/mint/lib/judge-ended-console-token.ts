import { ControlLost } from '../../../src/base/inconclusive.ts'
import { readToken } from '../../../src/base/tokens/decode.ts'
import { claimsOf, takenApart, withClaims } from '../../../src/base/tokens/forge.ts'
import { resigned } from '../../../src/base/tokens/forge-untrusted.ts'
import type { TestKey } from '../../../src/base/tokens/signing-key.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { ConsoleTokens } from '../../../src/roles/mint/console-tokens.ts'
import type { End } from '../../../src/roles/mint/expiry.ts'
import type { Attempt } from '../../../src/roles/signaling/attempt.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import { fetchSignedToken } from '../../signaling/lib/fetch-signed-token.ts'

/** The parts by which the end of a console token is judged. */
export interface EndedParts extends CheckContext<'mint' | 'expiry'> {
  readonly signaling: Signaling
  readonly consoleTokens: ConsoleTokens
}

interface UserToken {
  readonly jwt: string
  readonly userId: string
}

const ordinaryAccepted =
  'signaling accepts ended tokens of the mint, too (SIG-06): nothing shows how it handles those of the console'

const unreadable =
  'a console token was accepted after the lifetime that the command was told, and its end cannot be read'

/** An ended token of the console is rejected where one of the mint is that ended at the same time. */
export async function judgeEndedConsoleToken(parts: EndedParts, judge: Judge): Promise<void> {
  const testKey = parts.available('testKey')
  if (testKey !== undefined && (await judgeLongEnded(parts, testKey, judge))) return
  await judgeAfterExpiry(parts, judge)
}

/** False where the key has not signed the token of the console. */
async function judgeLongEnded(parts: EndedParts, key: TestKey, judge: Judge): Promise<boolean> {
  const { mint, consoleTokens, expiry, newUser } = parts
  const userId = newUser()
  const own = { jwt: await consoleTokens.fetch(userId), userId }
  if (own.jwt.split('.').length !== 3 || !(await key.hasSigned(own.jwt))) return false
  const ordinary = await fetchSignedToken(key, () => mint.token(newUser()))
  if (ordinary === null || ordinary.jwt.split('.').length !== 3) return false
  const seconds = expiry.trials.at(-1) ?? 0
  const control = await offerEnded(parts, key, own, null)
  if (control?.outcome !== 'accepted') return false
  const usual = await offerEnded(parts, key, ordinary, seconds)
  const made = await offerEnded(parts, key, own, seconds)
  if (usual === null || made === null) return false
  if (usual.outcome === 'accepted') judge.untested(ordinaryAccepted)
  else judgeRejected(made, `${seconds} s ago`, judge)
  return true
}

/**
 * Offers the token, signed again, as one that ended so many seconds ago; unchanged where that is null. Returns null where it
 * states no end.
 */
async function offerEnded(
  { signaling, clock }: EndedParts,
  key: TestKey,
  { jwt, userId }: UserToken,
  seconds: number | null,
): Promise<Attempt | null> {
  const original = takenApart(jwt, userId)
  const { exp, iat } = original === null ? {} : claimsOf(original)
  if (original === null || typeof exp !== 'number') return null
  const back = seconds === null ? 0 : exp - Math.floor(clock.wall() / 1000) + seconds
  const issued = typeof iat === 'number' ? { iat: iat - Math.max(0, back) } : {}
  const token = await resigned(original, key, {
    payload: withClaims(original, { exp: exp - back, ...issued }),
  })
  const name = seconds === null ? 'a token that is signed again' : `a token that ended ${seconds} s ago`
  return await signaling.decide({ token, declaredUser: userId, case: name })
}

/** A trial that is made later than this behind its time shows nothing about ends that are put off by a minute. */
const latenessSeconds = 20

interface Ending extends UserToken, End {}

/** A console token whose end is read off it, or is what the command was told. */
interface OwnEnding extends Ending {
  readonly isReadable: boolean
}

async function judgeAfterExpiry(parts: EndedParts, judge: Judge): Promise<void> {
  const { expiry, signaling, handBack } = parts
  const pair = await joinBeforeTheirEnd(parts, judge)
  if (pair === null) return
  handBack()
  const ended = Math.max(pair.ordinary.expiredAt, pair.own.expiredAt)
  let wasRejected = false
  for (const seconds of expiry.trials) {
    await expiry.until(ended + seconds * 1000)
    const offer = ({ jwt, userId }: Ending, whose: string) =>
      signaling.decide({
        token: jwt,
        declaredUser: userId,
        case: `a token of ${whose} that ended ${seconds} s ago`,
      })
    const [usual, made] = await Promise.all([
      offer(pair.ordinary, 'the mint'),
      offer(pair.own, 'the console'),
    ])
    assertDecided(usual)
    assertDecided(made)
    // A service may reject by silence; where only one of the two met it, the service was late.
    if (isSilent(usual) !== isSilent(made))
      throw new ControlLost(`signaling answered one of two ended tokens only`, [
        usual.exchange,
        made.exchange,
      ])
    const isRejected = usual.outcome !== 'accepted'
    // Ends have a resolution of one second: the next trial is clear of that.
    const isSure = made.outcome !== 'accepted' || (isRejected && wasRejected)
    if (isSure && made.outcome === 'accepted' && !pair.own.isReadable) return judge.untested(unreadable)
    const late = (made.decidedAt - pair.own.expiredAt) / 1000
    if (isSure && made.outcome !== 'accepted' && late > seconds + latenessSeconds)
      return judge.untested(`an ended console token was offered ${Math.round(late)} s after its end only`)
    if (isSure) return judgeRejected(made, `${seconds} s ago`, judge)
    wasRejected = isRejected
  }
  judge.untested(ordinaryAccepted)
}

/** A token of each that has joined shortly before its end; null where that is judged, or cannot be had. */
async function joinBeforeTheirEnd(
  parts: EndedParts,
  judge: Judge,
): Promise<{ readonly ordinary: Ending; readonly own: OwnEnding } | null> {
  const { expiry, newUser } = parts
  for (const lifetime of expiry.lifetimes) {
    const own = await fetchEnding(parts, lifetime, judge)
    if (own === null) return null
    const ordinary = await expiry.token(newUser(), lifetime)
    if (!(await hasJoined(parts, ordinary, 'the mint'))) continue
    if (await hasJoined(parts, own, 'the console')) return { ordinary, own }
  }
  judge.untested('no short-lived token could be sent before its expiry: this machine or the network is slow')
  return null
}

async function fetchEnding(
  { consoleTokens, configuration, clock, expiry, newUser }: EndedParts,
  askedSeconds: number,
  judge: Judge,
): Promise<OwnEnding | null> {
  const userId = newUser()
  const sentAt = clock.monotonic()
  const jwt = await consoleTokens.fetch(userId, askedSeconds)
  const receivedAt = clock.monotonic()
  const { exp, iat } = readToken(jwt)?.claims ?? {}
  const byClock = typeof exp === 'number' ? exp - clock.wall() / 1000 : null
  if (byClock !== null && byClock > configuration.limits.maxTtlWaitSeconds) {
    judge.untested(
      `a console token lives for ${Math.round(byClock)} s, longer than limits.maxTtlWaitSeconds: have the command heed TWOTOKEN_TTL_SECONDS, or write token.signWith`,
    )
    return null
  }
  const byClaims = typeof exp === 'number' && typeof iat === 'number' ? exp - iat : null
  const lifetime = { byClaims, byClock }
  return {
    jwt,
    userId,
    isReadable: byClock !== null,
    ...expiry.endOf({ lifetime, askedSeconds, sentAt, receivedAt }),
  }
}

/** False where it may have ended before signaling decided. */
async function hasJoined({ signaling }: EndedParts, token: Ending, whose: string): Promise<boolean> {
  const name = `a token of ${whose} before its end`
  const made = await signaling.decide({ token: token.jwt, declaredUser: token.userId, case: name })
  if (made.outcome === 'accepted') return true
  if (made.decidedAt >= token.mayExpireAt) return false
  throw new ControlLost(`signaling ${made.summary} when offered ${name}`, [made.exchange])
}

function isSilent(made: Attempt): boolean {
  return made.events.at(-1)?.type === 'timeout'
}

function assertDecided(made: Attempt): void {
  if (made.outcome === 'refused' && made.unreachable === true)
    throw new ControlLost(`signaling ${made.summary}`, [made.exchange])
}

function judgeRejected(made: Attempt, when: string, judge: Judge): void {
  judge.advisory(made.outcome !== 'accepted', {
    case: 'an ended token',
    saw: `a console token accepted that ended ${when}, where one of the mint was rejected`,
    expected: 'a rejection as for any other token (3)',
    fix: 'Verify the end of every calling token, also of those for development.',
    evidence: [made.exchange],
  })
}
