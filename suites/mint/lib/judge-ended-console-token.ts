import { Untested } from '../../../src/base/inconclusive.ts'
import { readToken } from '../../../src/base/tokens/decode.ts'
import type { TestKey } from '../../../src/base/tokens/signing-key.ts'
import type { Judge } from '../../../src/requirement/judge.ts'
import type { CheckContext, ConsoleTokens } from '../../../src/requirement/needs.ts'
import type { Signaling } from '../../../src/roles/signaling/driver.ts'
import {
  findLeeway,
  findLongExpiredLeeway,
  isAcceptedInTime,
  joinInTime,
} from '../../signaling/lib/leeway.ts'

export interface EndedParts extends CheckContext<'mint' | 'expiry'> {
  readonly signaling: Signaling
  readonly consoleTokens: ConsoleTokens
}

/** A trial that is made later than this behind its time shows nothing about ends that are put off by a minute. */
const latenessSeconds = 20

/** An ended token of the console is rejected where one of the mint is that ended at the same time. */
export async function judgeEndedConsoleToken(parts: EndedParts, judge: Judge): Promise<void> {
  const testKey = parts.available('testKey')
  const signed = testKey === undefined ? null : await signEnded(parts, testKey)
  const { usual, own, isReadable } = signed ?? (await waitForEnds(parts, judge))
  if (usual.rejection === null)
    return judge.untested(
      'signaling accepts ended tokens of the mint, too (SIG-06): nothing shows how it handles those of the console',
    )
  // Ends have a resolution of one second: a later trial than the one that rejects tokens of the mint is clear of that.
  const isAccepted = own.seconds > usual.rejection.due
  const { due, over } = own.rejection ?? usual.rejection
  if (isAccepted && !isReadable)
    return judge.untested(
      'a console token was accepted after the lifetime that the command was told, and its end cannot be read',
    )
  if (!isAccepted && over > due + latenessSeconds)
    return judge.untested(`an ended console token was offered ${Math.round(over)} s after its end only`)
  judge.advisory(!isAccepted, {
    case: 'an ended token',
    saw: `a console token accepted that ended ${own.seconds} s ago, where one of the mint was rejected`,
    expected: 'a rejection as for any other token (3)',
    fix: 'Verify the end of every calling token, also of those for development.',
    evidence: own.evidence,
  })
}

/** Null where the key has not signed both, or no token states an end. */
async function signEnded(parts: EndedParts, key: TestKey) {
  const userId = parts.newUser()
  const token = { jwt: await parts.consoleTokens.fetch(userId), userId }
  if (!(await key.hasSigned(token.jwt))) return null
  const own = await findLongExpiredLeeway(parts, key, async () => token, null)
  const usual = await findLongExpiredLeeway(parts, key, () => parts.mint.token(parts.newUser()), null)
  return own === null || usual === null ? null : { usual, own, isReadable: true }
}

/** How long signaling accepts both. The end of the console token is what the command was told where it is not readable. */
async function waitForEnds(parts: EndedParts, judge: Judge) {
  const { ordinary, own } = await joinBeforeTheirEnd(parts)
  parts.handBack()
  const [usual, ofConsole] = await Promise.all([
    findLeeway(parts, () => [ordinary], judge),
    findLeeway(parts, () => [own], judge),
  ])
  return { usual, own: ofConsole, isReadable: own.isReadable }
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
