import type { Clock } from '../../base/clock.ts'
import { readToken } from '../../base/tokens/decode.ts'
import { takenApart } from '../../base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../base/tokens/forge-tampered.ts'
import type { Accepted, Attempt } from '../../roles/signaling/attempt.ts'
import type { Signaling } from '../../roles/signaling/driver.ts'
import { readNamedUser } from '../../roles/signaling/named-user.ts'
import { takePause } from '../engine/common-steps.ts'
import type { Breach, ModelRun, StepOutcome } from '../engine/subject.ts'
import type { SignalingInvariant } from './invariants.ts'
import { isLimited } from './is-limited.ts'
import type { Offer, SignalingStep, User } from './steps.ts'

/** A genuine token of the story. */
interface HeldToken {
  readonly who: User
  readonly jwt: string
  /** Milliseconds since 1970; null where it cannot be read. */
  readonly expiresAt: number | null
  uses: number
}

/**
 * Signaling's behaviour when it is asked first. The fixed requirements judge it; stories judge only whether
 * it changes.
 */
export interface Habits {
  /** A token right after its expiry is rejected. */
  readonly rejectsExpired: boolean
  /** For so long behind its expiry a token may be accepted. */
  readonly leewayMs: number
  /** Where the frames of an accepted client name its user; empty where they do not. */
  readonly userPaths: readonly string[]
  /** The rejection of an expired token is reported as 401. */
  readonly reports401: boolean
  /** A token with another user's id is rejected: a service may also ignore what the client states. */
  readonly rejectsOther: boolean
}

export interface SignalingRunOptions {
  readonly signaling: Signaling
  /** Users of this story alone. */
  readonly userIds: Readonly<Record<User, string>>
  mint(userId: string, lives: 'long' | 'short'): Promise<string>
  readonly habits: Habits
  /** Says whether the exploration has made tokens for this user. */
  isKnown(userId: string): boolean
  readonly clock: Clock
  /** How long after an acceptance signaling may still reject. */
  readonly settleMs: number
}

/** So that clocks that differ a little agree that it has expired. */
export const afterExpiryMs = 700
/** A service that pauses after rejections accepts again within this time. */
const healingMs = 35_000
const betweenTriesMs = 1000
/** Services that reject later than their profile says do so within this time. */
const lateRejectionMs = 1000
const mostTokens = 6
/** Each takes as long as a token lives: more of them would leave no time for other stories. */
const mostExpiries = 1

type OwnBreach = Breach & { readonly invariant: SignalingInvariant }

interface Story extends SignalingRunOptions {
  readonly tokens: HeldToken[]
  readonly open: { readonly who: User; readonly made: Accepted }[]
  expiries: number
  /** The last attempt: services that remember it may decide by it. */
  before: Offered | null
}

/** A client with what it states. */
interface Offered {
  readonly token: string | null
  readonly declaredUser: string
  readonly case?: string
}

/** One story about signaling: the tokens that were issued to whom until when, and the connections that are open. */
export function tellSignaling(options: SignalingRunOptions): ModelRun<SignalingStep> & AsyncDisposable {
  const story: Story = { ...options, tokens: [], open: [], expiries: 0, before: null }
  return {
    canTake: (step) => canTake(story, step),
    take: (step) => take(story, step),
    async end() {
      await closeAll(story)
      return { did: 'all connections close', came: [], breaches: [] }
    },
    [Symbol.asyncDispose]: () => closeAll(story),
  }
}

function canTake(story: Story, step: SignalingStep): boolean {
  if (step.does === 'mint') return story.tokens.length < mostTokens
  if (step.does === 'connect') return story.tokens.length > 0
  if (step.does === 'drop') return story.open.length > 0
  if (step.does === 'expire')
    return (
      story.expiries < mostExpiries &&
      story.tokens.some(
        (token) => !isExpired(story, token) && !isSurelyAlive(story, token) && token.expiresAt !== null,
      )
    )
  return true
}

async function take(story: Story, step: SignalingStep): Promise<StepOutcome> {
  if (step.does === 'connect') return await connect(story, step)
  if (step.does === 'pause') return await takePause(story.clock, step)
  if (step.does === 'mint') {
    const jwt = await story.mint(story.userIds[step.who], step.lives)
    const exp = readToken(jwt)?.claims?.['exp']
    story.tokens.push({ who: step.who, jwt, expiresAt: typeof exp === 'number' ? exp * 1000 : null, uses: 0 })
    const short = step.lives === 'short' ? ' that soon expires' : ''
    return { did: `token ${story.tokens.length}${short} is issued to ${step.who}`, came: [], breaches: [] }
  }
  if (step.does === 'drop') {
    await story.open.shift()?.made.socket[Symbol.asyncDispose]()
    return { did: 'the oldest connection drops', came: [], breaches: [] }
  }
  if (step.does === 'expire') {
    story.expiries += 1
    const ends = story.tokens.flatMap((token) => (isSurelyAlive(story, token) ? [] : [token.expiresAt ?? 0]))
    await story.clock.until(
      story.clock.monotonic() + Math.max(0, Math.max(...ends) + marginOf(story) - story.clock.wall()),
    )
    return { did: 'the tokens that soon expire have expired', came: [], breaches: [] }
  }
  const attempt = { token: null, declaredUser: story.userIds.alice, case: 'no token' }
  story.before = attempt
  const made = await story.signaling.hold(attempt)
  const accepted = await isAccepted(story, made)
  if (made.outcome === 'accepted') story.open.push({ who: 'alice', made })
  const breach: OwnBreach = {
    invariant: 'EXP-23',
    saw: 'a client without a token accepted',
    expected: 'a rejection (5.4)',
    fix: 'Ask every client for a token.',
    evidence: [made.exchange],
    ...provenBy(story, made),
  }
  return {
    did: 'alice connects without a token',
    came: [made.outcome === 'accepted' ? 'accepted' : 'rejected'],
    breaches: accepted ? [breach] : [],
  }
}

function other(who: User): User {
  return who === 'alice' ? 'bob' : 'alice'
}

function isExpired(story: Story, { expiresAt }: HeldToken) {
  return expiresAt !== null && expiresAt + marginOf(story) <= story.clock.wall()
}

/** How long behind its expiry a token must be rejected. */
function marginOf({ habits }: Story): number {
  return habits.leewayMs + afterExpiryMs
}

function isSurelyAlive(story: Story, { expiresAt }: HeldToken) {
  return expiresAt === null || expiresAt > story.clock.wall() + 10_000
}

/** Says whether a service accepts an attempt. One that it accepts first and then rejects was rejected. */
async function isAccepted(story: Story, made: Attempt): Promise<boolean> {
  if (made.outcome !== 'accepted') return false
  const ended = await Promise.race([made.socket.ended.then(() => true), after(story.clock, story.settleMs)])
  return ended !== true
}

/** Only the service can accept a client and keep it; one that it rejects late was not accepted. */
function provenBy(story: Story, made: Attempt): Pick<OwnBreach, 'isProof' | 'confirm'> {
  if (made.outcome !== 'accepted') return {}
  const confirm = async () =>
    (await Promise.race([made.socket.ended.then(() => true), after(story.clock, lateRejectionMs)])) === false
  return { isProof: true, confirm }
}

async function isAcceptedLater(story: Story, who: User): Promise<boolean> {
  const until = story.clock.monotonic() + healingMs
  while (story.clock.monotonic() < until) {
    const jwt = await story.mint(story.userIds[who], 'long')
    const made = await story.signaling.attempt({ token: jwt, declaredUser: story.userIds[who] })
    if (made.outcome !== 'refused') return true
    await story.clock.until(story.clock.monotonic() + betweenTriesMs)
  }
  return false
}

/**
 * A limit on the rate may have refused instead: then a new token is refused too, or the old one soon gets its 401, also
 * behind the attempt that came before it.
 */
async function isStillWithout401(
  story: Story,
  { who, jwt }: HeldToken,
  before: Offered | null,
): Promise<boolean> {
  const declaredUser = story.userIds[who]
  const isNewAccepted = async () => {
    const token = await story.mint(declaredUser, 'long')
    return (await story.signaling.attempt({ token, declaredUser })).outcome === 'accepted'
  }
  const isWithout401 = async () => {
    const again = await story.signaling.attempt({ token: jwt, declaredUser, case: 'an expired token' })
    return again.outcome === 'refused' && !isLimited(again) && !again.unauthorized
  }
  await story.clock.until(story.clock.monotonic() + betweenTriesMs)
  if (!(await isNewAccepted())) return false
  if (await isWithout401()) return true
  if (before === null) return false
  await story.clock.until(story.clock.monotonic() + betweenTriesMs)
  await story.signaling.attempt(before)
  return (await isWithout401()) && (await isNewAccepted())
}

async function connectOnce(
  story: Story,
  token: HeldToken,
  { offer, stays }: Extract<SignalingStep, { does: 'connect' }>,
  isAlone: boolean,
): Promise<{ came: string; breaches: OwnBreach[] }> {
  const { who, jwt } = token
  const mismatched = offer === "with the other user's id"
  const ids = { userId: story.userIds[who], otherUser: story.userIds[other(who)] }
  const offered = forgeOffer(jwt, offer, ids)
  if (offered === null) return { came: 'not possible with these tokens', breaches: [] }
  const isFirst = token.uses === 0
  const wasExpired = isExpired(story, token)
  const wasAlive = isSurelyAlive(story, token)
  const hadOpen = story.open.some((one) => one.who === who)
  // A service may let a token be used once, for whatever it was used.
  if (offered === jwt) token.uses += 1
  const attempt = {
    token: offered,
    declaredUser: mismatched ? ids.otherUser : ids.userId,
    case: `${who}'s token ${offer}`,
  }
  const { before } = story
  story.before = attempt
  const made = await story.signaling.hold(attempt)
  const evidence = [made.exchange]
  const breaches: OwnBreach[] = []
  if (made.outcome === 'untestable') return { came: 'not possible with this profile', breaches }
  if (made.outcome === 'refused' && made.unreachable) return { came: made.summary, breaches }
  const forged = offer === 'with changed claims' || offer === 'with a changed signature'
  if (forged && (await isAccepted(story, made)))
    breaches.push({
      invariant: 'EXP-23',
      saw: `a token ${offer} accepted`,
      expected: 'a rejection (5.4)',
      fix: 'Verify the signature in every attempt, and key what is remembered by the whole token.',
      evidence,
      ...provenBy(story, made),
    })
  if (mismatched && !wasExpired && story.habits.rejectsOther && (await isAccepted(story, made)))
    breaches.push({
      invariant: 'EXP-24',
      saw: "a token accepted with another user's id, though signaling rejects such clients otherwise",
      expected: 'a rejection (2.1.3)',
      fix: "Compare the stated userId with the token's in every attempt.",
      evidence,
      ...provenBy(story, made),
    })
  if (!forged && wasExpired && story.habits.rejectsExpired && (await isAccepted(story, made)))
    breaches.push({
      invariant: 'EXP-22',
      saw: 'a token accepted after its expiry, though signaling rejects such tokens otherwise',
      expected: 'a rejection (3)',
      fix: 'Compare the expiry in every attempt, also of tokens that were accepted before.',
      evidence,
      ...provenBy(story, made),
    })
  const joinedAs =
    made.outcome === 'accepted' ? readNamedUser(made, story.habits.userPaths, ids.userId) : null
  if (offer === 'as it is' && joinedAs !== null && joinedAs !== ids.userId && story.isKnown(joinedAs))
    breaches.push({
      invariant: 'EXP-24',
      saw: `${who}'s client named as another user in the frames of signaling`,
      expected: 'a client that joins as the user of its token (5.4)',
      fix: 'Take the user from the token of this connection alone, and forget that of a rejected one.',
      evidence,
      isProof: true,
    })
  if (
    offer === 'as it is' &&
    wasExpired &&
    story.habits.reports401 &&
    made.outcome === 'refused' &&
    !isLimited(made) &&
    !made.unauthorized
  )
    breaches.push({
      invariant: 'EXP-25',
      saw: `an expired token rejected without a 401: signaling ${made.summary}`,
      expected: 'the sign of 401 that it gave before (7.3)',
      fix: 'Reject every invalid token in the same way.',
      evidence,
      confirm: () => isStillWithout401(story, token, before),
    })
  if (offer === 'as it is' && isFirst && isAlone && wasAlive && !hadOpen && made.outcome === 'refused')
    breaches.push({
      invariant: 'EXP-21',
      saw: `a new token of ${who} rejected for 35 s: signaling ${made.summary}`,
      expected: 'an accepted token (5.6)',
      fix: 'Judge each token by itself: let no earlier rejection decide.',
      evidence,
      confirm: async () => !(await isAcceptedLater(story, who)),
    })
  if (made.outcome === 'accepted') {
    if (stays || breaches.length > 0) story.open.push({ who, made })
    else await made.socket[Symbol.asyncDispose]()
  }
  const came = made.outcome === 'accepted' ? 'accepted' : `rejected: ${made.summary}`
  return { came, breaches }
}

async function connect(
  story: Story,
  step: Extract<SignalingStep, { does: 'connect' }>,
): Promise<StepOutcome> {
  const token = story.tokens[step.token % story.tokens.length]
  if (token === undefined) return { did: 'no token', came: [], breaches: [] }
  const { beside, times } = step
  const isAlone = times === 1 && beside === undefined
  const connecting = Array.from({ length: times }, () => connectOnce(story, token, step, isAlone))
  const other = beside && story.tokens[beside.token % story.tokens.length]
  if (other && beside) connecting.push(connectOnce(story, other, { ...step, ...beside }, false))
  const made = await Promise.all(connecting)
  const describe = ({ who }: HeldToken, place: number, offer: Offer) =>
    `${who} connects with token ${(place % story.tokens.length) + 1}${offer === 'as it is' ? '' : ` ${offer}`}`
  const many = times === 1 ? '' : `, ${times} times at once`
  const also = other && beside ? `, while ${describe(other, beside.token, beside.offer)}` : ''
  return {
    did: `${describe(token, step.token, step.offer)}${many}${step.stays ? ' and stays' : ''}${also}`,
    came: made.map(({ came }) => came),
    breaches: made.flatMap(({ breaches }) => breaches),
  }
}

async function closeAll(story: Story) {
  for (const { made } of story.open.splice(0)) await made.socket[Symbol.asyncDispose]()
}

async function after(clock: Clock, milliseconds: number): Promise<false> {
  await clock.until(clock.monotonic() + milliseconds)
  return false
}

/** The token as it is offered; null where this service's tokens have no such part. */
function forgeOffer(
  jwt: string,
  offer: Offer,
  { userId, otherUser }: { userId: string; otherUser: string },
): string | null {
  if (offer === 'as it is' || offer === "with the other user's id") return jwt
  const original = takenApart(jwt, userId)
  const forgeries = original === null ? tamperedParts(jwt, userId) : tampered(original, { otherUser })
  const [, payload = '', signature = ''] = jwt.split('.')
  const found = forgeries.find(({ token }) => {
    const [, otherPayload, otherSignature] = token.split('.')
    const areClaimsChanged = otherPayload !== payload
    const isSignatureChanged = otherSignature !== signature
    return offer === 'with changed claims'
      ? areClaimsChanged && !isSignatureChanged
      : isSignatureChanged && !areClaimsChanged
  })
  return found?.token ?? null
}
