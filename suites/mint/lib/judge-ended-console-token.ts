import { ControlLost, Untested } from '../../../src/base/inconclusive.ts'
import { readToken } from '../../../src/base/tokens/decode.ts'
import type { TestKey } from '../../../src/base/tokens/signing-key.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext } from '../../../src/requirement/needs.ts'
import type { ConsoleTokens } from '../../../src/roles/mint/console-tokens.ts'
import type { Attempt } from '../../../src/roles/signaling/attempt.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import { isAcceptedInTime, joinInTime } from '../../signaling/lib/join-in-time.ts'
import { fetchSignedToken, signAsEnded } from '../../signaling/lib/resign.ts'

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

/** An ended token of the console is rejected where one of the mint is that ended at the same time. */
export async function judgeEndedConsoleToken(parts: EndedParts, judge: Judge): Promise<void> {
  const testKey = parts.available('testKey')
  const ended = testKey === undefined ? null : await offerLongEnded(parts, testKey)
  const { usual, made, seconds } = ended ?? (await offerAfterExpiry(parts, judge)) ?? {}
  if (usual === undefined || made === undefined) return
  if (usual.outcome === 'accepted') return judge.untested(ordinaryAccepted)
  judge.advisory(made.outcome !== 'accepted', {
    case: 'an ended token',
    saw: `a console token accepted that ended ${seconds} s ago, where one of the mint was rejected`,
    expected: 'a rejection as for any other token (3)',
    fix: 'Verify the end of every calling token, also of those for development.',
    evidence: [made.exchange],
  })
}

/** How a token of the mint and one of the console fared so many seconds after their ends. */
interface Ended {
  readonly usual: Attempt
  readonly made: Attempt
  readonly seconds: number
}

/** Null where the key has not signed the token of the console, or no token states an end. */
async function offerLongEnded(parts: EndedParts, key: TestKey): Promise<Ended | null> {
  const { mint, consoleTokens, expiry, newUser, signaling } = parts
  const userId = newUser()
  const own = { jwt: await consoleTokens.fetch(userId), userId }
  const ordinary = await fetchSignedToken(key, () => mint.token(newUser()))
  if (ordinary === null || !(await key.hasSigned(own.jwt))) return null
  const offerEnded = async (token: UserToken, seconds: number | null) => {
    const jwt = await (seconds === null ? signAsEnded(key, token, 0, 0) : signAsEnded(key, token, seconds))
    const name = seconds === null ? 'a token that is signed again' : `a token that ended ${seconds} s ago`
    return jwt === null
      ? null
      : await signaling.decide({ token: jwt, declaredUser: token.userId, case: name })
  }
  if ((await offerEnded(own, null))?.outcome !== 'accepted') return null
  const seconds = expiry.trials.at(-1) ?? 0
  const [usual, made] = [await offerEnded(ordinary, seconds), await offerEnded(own, seconds)]
  return usual === null || made === null ? null : { usual, made, seconds }
}

/** A trial that is made later than this behind its time shows nothing about ends that are put off by a minute. */
const latenessSeconds = 20

/** Waits for the ends of both; null where the judge has been told why nothing is shown. */
async function offerAfterExpiry(parts: EndedParts, judge: Judge): Promise<Ended | null> {
  const { expiry, signaling, handBack } = parts
  const pair = await joinBeforeTheirEnd(parts)
  handBack()
  const offer = ({ jwt, userId }: UserToken, name: string) =>
    signaling.decide({ token: jwt, declaredUser: userId, case: name })
  let last: Ended | null = null
  for (const seconds of expiry.trials) {
    await expiry.until(Math.max(pair.ordinary.expiredAt, pair.own.expiredAt) + seconds * 1000)
    const [usual, made] = await Promise.all([
      offer(pair.ordinary, `a token of the mint that ended ${seconds} s ago`),
      offer(pair.own, `a token of the console that ended ${seconds} s ago`),
    ])
    const lost = [usual, made].find((one) => one.outcome === 'refused' && one.unreachable === true)
    if (lost?.outcome === 'refused') throw new ControlLost(`signaling ${lost.summary}`, [lost.exchange])
    // A service may reject by silence; where only one of the two met it, the service was late.
    if (isSilent(usual) !== isSilent(made))
      throw new ControlLost('signaling answered one of two ended tokens only', [
        usual.exchange,
        made.exchange,
      ])
    const wasRejected = last !== null && last.usual.outcome !== 'accepted'
    last = { usual, made, seconds }
    // Ends have a resolution of one second: the next trial is clear of that.
    if (made.outcome === 'accepted' && (usual.outcome === 'accepted' || !wasRejected)) continue
    const late = (made.decidedAt - pair.own.expiredAt) / 1000
    if (made.outcome === 'accepted' && !pair.own.isReadable)
      judge.untested(
        'a console token was accepted after the lifetime that the command was told, and its end cannot be read',
      )
    else if (made.outcome !== 'accepted' && late > seconds + latenessSeconds)
      judge.untested(`an ended console token was offered ${Math.round(late)} s after its end only`)
    else return { ...last, usual: made.outcome === 'accepted' ? usual : made }
    return null
  }
  judge.untested(ordinaryAccepted)
  return null
}

/** A token of each that has joined shortly before its end. */
function joinBeforeTheirEnd({ consoleTokens, configuration, clock, expiry, newUser, signaling }: EndedParts) {
  return joinInTime(expiry, async (askedSeconds) => {
    const userId = newUser()
    const sentAt = clock.monotonic()
    const jwt = await consoleTokens.fetch(userId, askedSeconds)
    const receivedAt = clock.monotonic()
    const { exp, iat } = readToken(jwt)?.claims ?? {}
    const byClock = typeof exp === 'number' ? exp - clock.wall() / 1000 : null
    const byClaims = typeof exp === 'number' && typeof iat === 'number' ? exp - iat : null
    if (byClock !== null && byClock > configuration.limits.maxTtlWaitSeconds)
      throw new Untested(
        `a console token lives for ${Math.round(byClock)} s, longer than limits.maxTtlWaitSeconds: have the command heed TWOTOKEN_TTL_SECONDS, or write token.signWith`,
      )
    const end = expiry.endOf({ lifetime: { byClaims, byClock }, askedSeconds, sentAt, receivedAt })
    const own = { jwt, userId, isReadable: byClock !== null, ...end }
    const ordinary = await expiry.token(newUser(), askedSeconds)
    const isInTime =
      (await isAcceptedInTime(signaling, ordinary)) &&
      (await isAcceptedInTime(signaling, own, 'a token of the console before its end'))
    return isInTime ? { ordinary, own } : null
  })
}

function isSilent(made: Attempt): boolean {
  return made.events.at(-1)?.type === 'timeout'
}
