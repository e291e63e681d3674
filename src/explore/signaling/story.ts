import type { Clock } from '../../base/clock.ts'
import { readToken } from '../../base/tokens/decode.ts'
import { takenApart } from '../../base/tokens/forge.ts'
import { tampered, tamperedParts } from '../../base/tokens/forge-tampered.ts'
import type { Accepted, Attempt, Refused } from '../../roles/signaling/attempt.ts'
import type { Signaling } from '../../roles/signaling/driver.ts'
import { readNamedUser } from '../../roles/signaling/named-user.ts'
import { type Breach, pausing, type StepOutcome, type Telling } from '../engine/subject.ts'
import { afterExpiryMs, type Habits, type Issue } from './find-habits.ts'
import { type ConnectStep, mostTokens, type Offer, type SignalingStep, type User } from './steps.ts'

interface HeldToken {
  readonly who: User
  readonly jwt: string
  /** Milliseconds since 1970; infinite where it cannot be read. */
  readonly expiresAt: number
  /** A service may let a token be used once, for whatever it was used. */
  isUsed: boolean
}

const noToken: HeldToken = { who: 'alice', jwt: '', expiresAt: Number.POSITIVE_INFINITY, isUsed: true }

interface Story {
  readonly signaling: Signaling
  readonly clock: Clock
  readonly newUser: () => string
  readonly userIds: Readonly<Record<User, string>>
  readonly issue: Issue
  readonly habits: Habits
  /** Says whether the exploration has made tokens for this user. */
  isKnown(userId: string): boolean
  readonly tokens: HeldToken[]
  readonly open: { readonly who: User; readonly made: Accepted }[]
  /** It takes as long as a token lives: more than one would leave no time for other stories. */
  hasWaitedForExpiry: boolean
}

/** Services that reject later than their profile says do so within this time. */
const lateRejectionMs = 1_000
/** A token that ends sooner may end while it is offered. */
const surelyAliveMs = 10_000

/** One story about signaling: the tokens that were issued to whom until when, and the connections that are open. */
export function tellSignaling(story: Story): Telling<SignalingStep> & AsyncDisposable {
  return {
    control: () => connectOrdinary(story),
    steps: {
      pause: pausing(story.clock),
      mint: {
        can: () => story.tokens.length < mostTokens,
        take: (step) => mint(story, step),
      },
      connect: {
        can: () => story.tokens.length > 0,
        take: (step) => connect(story, step),
      },
      'connect without a token': {
        async take() {
          const circumstances = { stays: true, isAlone: true }
          const { came, breaches } = await connectOnce(story, noToken, 'without a token', circumstances)
          return { did: 'alice connects without a token', came: [came], breaches }
        },
      },
      drop: {
        can: () => story.open.length > 0,
        async take() {
          await story.open.shift()?.made.socket[Symbol.asyncDispose]()
          return { did: 'the oldest connection drops', came: [], breaches: [] }
        },
      },
      expire: {
        can: () => !story.hasWaitedForExpiry && listExpiring(story).length > 0,
        async take() {
          story.hasWaitedForExpiry = true
          const lastEnd = Math.max(...listExpiring(story).map(({ expiresAt }) => expiresAt))
          const leftMs = lastEnd + afterExpiryMs - story.clock.wall()
          await story.clock.until(story.clock.monotonic() + leftMs)
          return { did: 'the tokens that soon expire have expired', came: [], breaches: [] }
        },
      },
    },
    async end() {
      await closeAll(story)
      return { did: 'all connections close', came: [], breaches: [] }
    },
    [Symbol.asyncDispose]: () => closeAll(story),
  }
}

/** Limits, bans, outages and the network may end service as well: only a 401 is a decision about the token. */
async function connectOrdinary(story: Story): Promise<Breach | null> {
  const made = await connectAnew(story, story.newUser())
  if (made.outcome === 'accepted') return null
  const isDecision =
    made.outcome === 'refused' && made.unauthorized && made.unreachable !== true && made.undecided !== true
  return {
    invariant: 'EXP-21',
    level: isDecision ? undefined : 'SHOULD',
    saw: `new tokens of new users rejected since the last story: signaling ${made.summary}`,
    evidence: [made.exchange],
  }
}

async function connectAnew({ signaling, issue }: Story, userId: string): Promise<Attempt> {
  return await signaling.decide({ token: await issue(userId, 'long'), declaredUser: userId })
}

async function mint(
  story: Story,
  { who, lives }: Extract<SignalingStep, { does: 'mint' }>,
): Promise<StepOutcome> {
  const jwt = await story.issue(story.userIds[who], lives)
  const exp = readToken(jwt)?.claims?.['exp']
  const expiresAt = typeof exp === 'number' ? exp * 1_000 : Number.POSITIVE_INFINITY
  story.tokens.push({ who, jwt, expiresAt, isUsed: false })
  const short = lives === 'short' ? ' that soon expires' : ''
  return { did: `token ${story.tokens.length}${short} is issued to ${who}`, came: [], breaches: [] }
}

function listExpiring(story: Story): HeldToken[] {
  return story.tokens.filter((token) => !isExpired(story, token) && !isSurelyAlive(story, token))
}

function isExpired({ clock }: Story, { expiresAt }: HeldToken): boolean {
  return expiresAt + afterExpiryMs <= clock.wall()
}

function isSurelyAlive({ clock }: Story, { expiresAt }: HeldToken): boolean {
  return expiresAt > clock.wall() + surelyAliveMs
}

/** Only the service can accept a client and keep it; one that it rejects late was not accepted. */
async function staysAccepted({ clock }: Story, made: Accepted): Promise<boolean> {
  const late = clock.until(clock.monotonic() + lateRejectionMs).then(() => 'kept')
  return (await Promise.race([made.socket.ended, late])) === 'kept'
}

async function connect(story: Story, step: ConnectStep): Promise<StepOutcome> {
  const { beside, times, stays } = step
  const all = [...Array.from({ length: times }, () => step), ...(beside === undefined ? [] : [beside])]
  const made = await Promise.all(
    all.map((one) =>
      connectOnce(story, tokenAt(story, one.token), one.offer, { stays, isAlone: all.length === 1 }),
    ),
  )
  const describe = ({ token, offer }: Pick<ConnectStep, 'token' | 'offer'>) =>
    `${tokenAt(story, token).who} connects with token ${(token % story.tokens.length) + 1}${offer === 'as it is' ? '' : ` ${offer}`}`
  const many = times === 1 ? '' : `, ${times} times at once`
  const also = beside === undefined ? '' : `, while ${describe(beside)}`
  return {
    did: `${describe(step)}${many}${stays ? ' and stays' : ''}${also}`,
    came: made.map(({ came }) => came),
    breaches: made.flatMap(({ breaches }) => breaches),
  }
}

function tokenAt({ tokens }: Story, place: number): HeldToken {
  return tokens[place % tokens.length] as HeldToken
}

interface Offered {
  readonly stays: boolean
  /** No other client connects at the same time. */
  readonly isAlone: boolean
  readonly token: HeldToken
  readonly offer: Offer | 'without a token'
  readonly isFirst: boolean
  readonly wasExpired: boolean
  readonly wasAlive: boolean
  /** The user has another connection, and a service may let each have one. */
  readonly hadOpen: boolean
}

async function connectOnce(
  story: Story,
  token: HeldToken,
  offer: Offered['offer'],
  circumstances: Pick<Offered, 'stays' | 'isAlone'>,
): Promise<{ readonly came: string; readonly breaches: readonly Breach[] }> {
  const { who, jwt } = token
  const ids = { userId: story.userIds[who], otherUser: story.userIds[who === 'alice' ? 'bob' : 'alice'] }
  const text = offer === 'without a token' ? null : forgeOffer(jwt, offer, ids)
  if (text === undefined) return { came: 'not possible with these tokens', breaches: [] }
  const offered: Offered = {
    ...circumstances,
    token,
    offer,
    isFirst: !token.isUsed,
    wasExpired: isExpired(story, token),
    wasAlive: isSurelyAlive(story, token),
    hadOpen: story.open.some((one) => one.who === who),
  }
  if (text === jwt) token.isUsed = true
  const made = await story.signaling.hold({
    token: text,
    declaredUser: offer === "with the other user's id" ? ids.otherUser : ids.userId,
    case: offer === 'without a token' ? 'no token' : `${who}'s token ${offer}`,
  })
  if (made.outcome === 'untestable') return { came: 'not possible with this profile', breaches: [] }
  if (made.outcome === 'refused')
    return { came: `rejected: ${made.summary}`, breaches: judgeRejection(story, offered, made) }
  const breaches = [...(await judgeAcceptance(story, offered, made)), ...judgeNamedUser(story, offered, made)]
  if (offered.stays || breaches.length > 0) story.open.push({ who, made })
  else await made.socket[Symbol.asyncDispose]()
  return { came: 'accepted', breaches }
}

/** Lists what a client that signaling accepted should have been rejected for. */
async function judgeAcceptance(story: Story, offered: Offered, made: Accepted): Promise<Breach[]> {
  const wrong = whyRejected(story, offered)
  if (wrong === null || !(await staysAccepted(story, made))) return []
  return [{ ...wrong, evidence: [made.exchange], isProof: true }]
}

/** Null where signaling may accept the client, or was not asked first how it answers such a one. */
function whyRejected(
  { habits }: Story,
  { offer, wasExpired }: Offered,
): Pick<Breach, 'invariant' | 'saw'> | null {
  if (offer === 'without a token') return { invariant: 'EXP-23', saw: 'a client without a token accepted' }
  if (offer === 'with changed claims' || offer === 'with a changed signature')
    return { invariant: 'EXP-23', saw: `a token ${offer} accepted` }
  if (offer === "with the other user's id" && !wasExpired && habits.rejectsOther)
    return {
      invariant: 'EXP-24',
      saw: "a token accepted with another user's id, though signaling rejects such clients otherwise",
    }
  if (wasExpired && habits.whyExpiryIsUnjudged === null)
    return {
      invariant: 'EXP-22',
      saw: 'a token accepted after its expiry, though signaling rejects such tokens otherwise',
    }
  return null
}

function judgeNamedUser(story: Story, { token, offer }: Offered, made: Accepted): Breach[] {
  if (offer !== 'as it is') return []
  const userId = story.userIds[token.who]
  const joinedAs = readNamedUser(made, story.habits.userPaths, userId)
  if (joinedAs === null || joinedAs === userId || !story.isKnown(joinedAs)) return []
  return [
    {
      invariant: 'EXP-24',
      saw: `${token.who}'s client named as another user in the frames of signaling`,
      evidence: [made.exchange],
      isProof: true,
    },
  ]
}

function judgeRejection(
  story: Story,
  { token: { who }, offer, isFirst, isAlone, wasAlive, hadOpen }: Offered,
  made: Refused,
): Breach[] {
  const isNew = offer === 'as it is' && isFirst && isAlone && wasAlive && !hadOpen
  if (!isNew || made.unreachable === true) return []
  return [
    {
      invariant: 'EXP-21',
      saw: `a new token of ${who} rejected for 35 s: signaling ${made.summary}`,
      evidence: [made.exchange],
      isServed: async () => (await connectAnew(story, story.userIds[who])).outcome !== 'refused',
    },
  ]
}

async function closeAll(story: Story): Promise<void> {
  for (const { made } of story.open.splice(0)) await made.socket[Symbol.asyncDispose]()
}

/** The token as it is offered; undefined where this service's tokens have no such part. */
function forgeOffer(
  jwt: string,
  offer: Offer,
  { userId, otherUser }: { readonly userId: string; readonly otherUser: string },
): string | undefined {
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
  return found?.token
}
