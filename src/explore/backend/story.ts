import type { Clock } from '../../base/clock.ts'
import type { Reply } from '../../base/http/client.ts'
import { servedAfterSignOutSeconds } from '../../base/times.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import { type Breach, pausing, type StepKind, type StepOutcome, type Telling } from '../engine/subject.ts'
import type { Devices } from './devices.ts'
import { type Asked, judgeCall, judgeFlood, judgeReply } from './judge-reply.ts'
import type { MintWatch } from './mint-watch.ts'
import { type AskStep, type BackendStep, type Caller, type MintAnswer, type User, users } from './steps.ts'

interface BackendStoryOptions {
  readonly backend: Backend
  readonly apiKey: string
  readonly mint: MintWatch
  readonly devices: Devices
  readonly clock: Clock
  readonly answerSeconds: number
}

/** Behind the time for which a signed-out session may be served. */
const afterSignOutMs = servedAfterSignOutSeconds * 1_000 + 500
/** A backend that keeps tokens for a second, against double clicks, has dropped them by then. */
const afterExpiryMs = 2_000
/** A token that ends later is no token that soon expires. */
const soonMs = 10_000
/** A request whose call is kept waiting reaches the mint within this share of the time in which one was served. */
const latencyShare = 1.5
const shortestQuietMs = 120
const longestQuietMs = 2_000

interface Request {
  readonly asked: Asked
  reply: Reply | null
}

function begin(options: BackendStoryOptions) {
  return {
    ...options,
    pending: new Set<Request>(),
    sessions: new Set<string>(),
    /** How many the story has sent: a backend may call the mint behind its response. */
    requests: 0,
    judgedCalls: 0,
    hasOutlasted: false,
    /** Milliseconds since 1970. */
    lastExpiry: 0,
    /** Where calls are kept waiting, nothing more is expected after so long without an event. */
    quietMs: longestQuietMs,
  }
}
type Story = ReturnType<typeof begin>

/** One story about a backend: who is signed in, what was asked and is not answered yet, which calls the mint keeps waiting. */
export function tellBackend(options: BackendStoryOptions): Telling<BackendStep> {
  const story = begin(options)
  const { devices, mint, clock } = story
  /** A step, and what happened at the backend and the mint meanwhile. */
  const judged = <S extends BackendStep>({ can, take }: JudgedStep<S>): StepKind<S> => ({
    ...(can === undefined ? {} : { can }),
    async take(step) {
      const since = clock.monotonic()
      return conclude(story, await take(step), since)
    },
  })
  return {
    control: () => askOrdinary(story),
    steps: {
      pause: judged({ take: async (step) => (await pausing(clock).take(step)).did }),
      ask: judged({
        can: ({ who }) => who.every((one) => devices.has(one)),
        take: (step) => ask(story, step),
      }),
      answer: judged({ can: () => mint.held.length > 0, take: (step) => answer(story, step) }),
      expire: judged({
        can: () => story.lastExpiry + afterExpiryMs > clock.wall(),
        async take() {
          const leftMs = story.lastExpiry + afterExpiryMs - clock.wall()
          await clock.until(clock.monotonic() + leftMs)
          return 'the tokens that soon expire have expired'
        },
      }),
      'sign out': judged({
        can: ({ who }) => devices.canSignOut(who),
        async take({ who }) {
          await devices.signOut(who)
          return `${who} signs out`
        },
      }),
      'sign in': judged({
        can: ({ who }) => devices.canSignIn(who),
        async take({ who }) {
          await devices.signIn(who)
          return `${who} signs in again`
        },
      }),
      'outlast the sign-out': judged({
        can: () => !story.hasOutlasted && devices.lastSignOut() !== null,
        async take() {
          story.hasOutlasted = true
          await clock.until((devices.lastSignOut() ?? 0) + afterSignOutMs)
          return `${servedAfterSignOutSeconds} s pass since the sign-out`
        },
      }),
    },
    end: () => end(story),
  }
}

interface JudgedStep<S extends BackendStep> {
  readonly can?: (step: S) => boolean
  /** Returns the action as a sentence. */
  take(step: S): Promise<string>
}

async function end(story: Story): Promise<StepOutcome> {
  const { mint, clock } = story
  const since = clock.monotonic()
  mint.react('a token')
  while (mint.held.length > 0) mint.release(0, 'a token')
  await settle(story, [...story.pending], 0)
  return conclude(story, 'the mint answers every call with a token', since)
}

/** Every user is signed in and asks. Limits, outages and the network may end service as well: another user tells. */
async function askOrdinary(story: Story): Promise<Breach | null> {
  const { devices, mint } = story
  for (const user of users) if (devices.canSignIn(user)) await devices.signIn(user)
  mint.react('a token that soon expires')
  const present = users.filter((user) => devices.has(user))
  const made = await Promise.all(present.map((user) => askOnce(story, user)))
  mint.react('a token')
  story.judgedCalls = mint.calls().length
  const unserved = made.find(({ isServed }) => !isServed)
  if (unserved === undefined) {
    const latencyMs = Math.max(...made.map(({ latencyMs }) => latencyMs))
    story.quietMs = Math.min(longestQuietMs, Math.max(shortestQuietMs, latencyShare * latencyMs))
    return null
  }
  const { user, reply } = unserved
  const isRejected = reply.kind === 'answer' && [401, 403].includes(reply.status)
  // A session may have come to its end.
  if (isRejected) await devices.signIn(user)
  const isDecision = reply.kind === 'answer' && ![401, 403, 429, 502, 503, 504].includes(reply.status)
  const servesOther = made.some(({ isServed }) => isServed)
  const came = reply.kind === 'answer' ? `returned ${reply.status} without a token` : reply.message
  const control = servesOther ? ', while the other user was served' : ''
  return {
    invariant: 'EXP-07',
    level: isDecision || (servesOther && !isRejected) ? undefined : 'SHOULD',
    saw: `a backend that ${came} for ${user}, signed in, since the last story, while the mint answered every call${control}`,
    evidence: [reply.exchange],
  }
}

async function askOnce({ backend, devices, clock }: Story, user: User) {
  const { session } = await devices.present(user)
  const sentAt = clock.monotonic()
  const reply = await backend.request({ session, followRedirects: true })
  return { user, reply, isServed: backend.tokenOf(reply) !== null, latencyMs: clock.monotonic() - sentAt }
}

async function ask(story: Story, { who, mint: reaction }: AskStep): Promise<string> {
  const { mint, pending } = story
  const isOrdinary = reaction === 'a token' && pending.size === 0 && mint.held.length === 0
  const heldBefore = mint.held.length
  mint.react(reaction)
  const requests = await Promise.all(who.map((one) => send(story, one, isOrdinary)))
  await settle(story, requests, heldBefore)
  const asking =
    who.length === 1 ? `${who[0]} asks for a token` : `${who.join(' and ')} ask for tokens at once`
  const answering =
    reaction === 'nothing yet' ? 'the mint keeps the calls waiting' : `the mint answers with ${reaction}`
  return `${asking}; ${answering}`
}

async function answer(
  { mint, pending, quietMs }: Story,
  step: { readonly which: number; readonly mint: MintAnswer },
): Promise<string> {
  const count = mint.held.length
  const which = step.which % count
  const before = countAnswered(pending)
  mint.release(which, step.mint)
  await mint.changed.waitFor(() => countAnswered(pending) > before, quietMs)
  const place = count === 1 ? 'the waiting call' : `waiting call ${which + 1} of ${count}`
  return `the mint answers ${place} with ${step.mint}`
}

async function send(story: Story, who: Caller, isOrdinary: boolean): Promise<Request> {
  const { backend, mint, clock } = story
  const { session, userId, endedAt } = await story.devices.present(who)
  if (session !== null) story.sessions.add(session)
  const endedForMs = endedAt === undefined ? null : clock.monotonic() - endedAt
  const request: Request = {
    asked: { who, userId, sentAt: clock.wall(), isOrdinary, endedForMs },
    reply: null,
  }
  story.pending.add(request)
  story.requests += 1
  const deadlineMs = story.answerSeconds * 1_000
  void backend.request({ session, followRedirects: true, deadlineMs }).then((reply) => {
    request.reply = reply
    mint.changed.notify()
  })
  return request
}

/** Until these are answered; where calls are kept waiting, until nothing happens any more. */
async function settle(story: Story, awaited: readonly Request[], heldBefore: number): Promise<void> {
  const { mint, pending } = story
  const countEvents = () => mint.calls().length + countAnswered(pending)
  const isSettled = () => {
    const waiting = awaited.filter(({ reply }) => reply === null).length
    const held = mint.held.length - heldBefore
    return waiting === 0 || (held > 0 && held >= waiting)
  }
  for (;;) {
    const seen = countEvents()
    const waitMs = mint.held.length > 0 ? story.quietMs : story.answerSeconds * 1_000 + 1_000
    const happened = await mint.changed.waitFor(() => isSettled() || seen !== countEvents(), waitMs)
    if (isSettled() || happened === null) return
  }
}

/** Lists the events since the last step, and their breaches. */
function conclude(story: Story, did: string, since: number): StepOutcome {
  const { backend, mint, clock, apiKey, sessions } = story
  const isServed = async (who: Caller) => {
    mint.react('a token')
    story.requests += 1
    const { session } = await story.devices.present(who)
    return backend.tokenOf(await backend.request({ session, followRedirects: true })) !== null
  }
  const answered = [...story.pending].flatMap((request) => {
    const { asked, reply } = request
    if (reply === null) return []
    story.pending.delete(request)
    return [{ asked, reply }]
  })
  const calls = mint.calls().slice(story.judgedCalls)
  story.judgedCalls = mint.calls().length
  for (const { reply } of answered) {
    const { expiresAt = 0 } = mint.issued(backend.tokenOf(reply) ?? '') ?? {}
    if (expiresAt - clock.wall() < soonMs) story.lastExpiry = Math.max(story.lastExpiry, expiresAt)
  }
  return {
    did,
    came: answered.map(({ asked: { who }, reply }) => {
      if (reply.kind === 'no-answer') return `${who}: no response`
      return `${who}: ${reply.status}${backend.tokenOf(reply) === null ? '' : ' with a token'}`
    }),
    breaches: [
      ...answered.flatMap(({ asked, reply }) =>
        judgeReply(asked, reply, { backend, apiKey, mint, isServed }),
      ),
      ...calls.flatMap((call) => judgeCall(call, apiKey, sessions)),
      ...judgeFlood(calls.length, story.requests, (clock.monotonic() - since) / 1_000),
    ],
  }
}

function countAnswered(pending: ReadonlySet<Request>): number {
  return [...pending].filter(({ reply }) => reply !== null).length
}
