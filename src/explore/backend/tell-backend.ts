import type { Clock } from '../../base/clock.ts'
import type { Reply } from '../../base/http/client.ts'
import { servedAfterSignOut } from '../../requirement/graces.ts'
import type { Backend } from '../../roles/backend/driver.ts'
import { takePause } from '../engine/common-steps.ts'
import type { Breach, ModelRun, StepOutcome } from '../engine/subject.ts'
import type { Devices } from './devices.ts'
import { judgeCall, judgeFlood } from './judge-calls.ts'
import { type Asked, judgeReply } from './judge-reply.ts'
import type { MintWatch } from './mint-watch.ts'
import type { BackendStep, Caller } from './steps.ts'

export interface BackendRunOptions {
  readonly backend: Backend
  readonly apiKey: string
  readonly mint: MintWatch
  readonly devices: Devices
  readonly clock: Clock
  /** How many requests were sent in the last seconds, in earlier stories too. */
  readonly recentRequests: () => number
  /** How soon a backend must answer. */
  readonly answerSeconds: number
  /** Where calls are kept waiting, nothing more is expected after so long without an event. */
  readonly quietMs: number
}

/** Behind the time for which a signed-out session may be served. */
const afterSignOutMs = servedAfterSignOut.seconds * 1000 + 500
/** Behind an expiry, so that no clock is in doubt. */
const afterExpiryMs = 500
/** A user who is not served is asked for so long: backends pause after failures. */
const healingMs = 35_000
const betweenTriesMs = 500

interface Request {
  readonly asked: Asked
  reply: Reply | null
}

interface Story extends BackendRunOptions {
  readonly pending: Set<Request>
  readonly sessions: Set<string>
  judgedCalls: number
  hasOutlasted: boolean
  lastExpiry: number
}

/** One story about a backend: who is signed in, what was asked and is not answered yet, which calls the mint keeps waiting. */
export function tellBackend(options: BackendRunOptions): ModelRun<BackendStep> {
  const story: Story = {
    ...options,
    pending: new Set(),
    sessions: new Set(),
    judgedCalls: options.mint.calls().length,
    hasOutlasted: false,
    lastExpiry: 0,
  }
  return {
    canTake: (step) => canTake(story, step),
    take: (step) => take(story, step),
    end: () => end(story),
  }
}

function canTake(story: Story, step: BackendStep): boolean {
  if (step.does === 'answer') return story.mint.held.length > 0
  if (step.does === 'pause') return true
  if (step.does === 'expire') return story.lastExpiry + afterExpiryMs > story.clock.wall()
  if (step.does === 'sign out') return story.devices.canSignOut(step.who)
  if (step.does === 'sign in') return story.devices.canSignIn(step.who)
  if (step.does === 'outlast the sign-out') return !story.hasOutlasted && story.devices.lastSignOut() !== null
  return step.who.every((who) => story.devices.has(who))
}

async function take(story: Story, step: BackendStep): Promise<StepOutcome> {
  const since = story.clock.monotonic()
  if (step.does === 'ask') return await ask(story, step)
  if (step.does === 'pause') {
    const { did } = await takePause(story.clock, step)
    return conclude(story, did, since)
  }
  if (step.does === 'expire') {
    await story.clock.until(
      story.clock.monotonic() + Math.max(0, story.lastExpiry + afterExpiryMs - story.clock.wall()),
    )
    return conclude(story, 'the tokens that soon expire have expired', since)
  }
  if (step.does === 'outlast the sign-out') {
    story.hasOutlasted = true
    await story.clock.until((story.devices.lastSignOut() ?? 0) + afterSignOutMs)
    return conclude(story, `${servedAfterSignOut.seconds} s pass since the sign-out`, since)
  }
  if (step.does === 'sign out') {
    await story.devices.signOut(step.who)
    return conclude(story, `${step.who} signs out`, since)
  }
  if (step.does === 'sign in') {
    await story.devices.signIn(step.who)
    return conclude(story, `${step.who} signs in again`, since)
  }
  const which = step.which % story.mint.held.length
  const place =
    story.mint.held.length === 1
      ? 'the waiting call'
      : `waiting call ${which + 1} of ${story.mint.held.length}`
  const before = countAnswered(story.pending)
  story.mint.release(which, step.mint)
  await story.mint.changed.waitFor(() => countAnswered(story.pending) > before, story.quietMs)
  return conclude(story, `the mint answers ${place} with ${step.mint}`, since)
}

async function end(story: Story): Promise<StepOutcome> {
  const since = story.clock.monotonic()
  story.mint.react('a token')
  while (story.mint.held.length > 0) story.mint.release(0, 'a token')
  const left = [...story.pending]
  await settle(story, left, 0)
  return conclude(story, 'the mint answers every call with a token', since)
}

async function isServedLater(story: Story, who: Caller): Promise<boolean> {
  story.mint.react('a token')
  const until = story.clock.monotonic() + healingMs
  while (story.clock.monotonic() < until) {
    const { session } = await story.devices.present(who)
    if (story.backend.tokenOf(await story.backend.request({ session, followRedirects: true })) !== null)
      return true
    await story.clock.until(story.clock.monotonic() + betweenTriesMs)
  }
  return false
}

async function send(story: Story, who: Caller, isOrdinary: boolean): Promise<Request> {
  const { session, userId, endedAt } = await story.devices.present(who)
  if (session !== null) story.sessions.add(session)
  const request: Request = {
    asked: {
      who,
      userId,
      sentAt: story.clock.wall(),
      isOrdinary,
      endedForMs: endedAt === undefined ? null : performance.now() - endedAt,
    },
    reply: null,
  }
  story.pending.add(request)
  const deadlineMs = story.answerSeconds * 1000
  void story.backend.request({ session, followRedirects: true, deadlineMs }).then((reply) => {
    request.reply = reply
    story.mint.changed.notify()
  })
  return request
}

/** Until these are answered; where calls are kept waiting, until nothing happens any more. */
async function settle(story: Story, awaited: readonly Request[], heldBefore: number): Promise<void> {
  const isAnswered = () => awaited.every(({ reply }) => reply !== null)
  const isAtMint = () =>
    story.mint.held.length - heldBefore >= awaited.filter(({ reply }) => reply === null).length &&
    story.mint.held.length > heldBefore
  for (;;) {
    const seen = story.mint.calls().length + [...story.pending].filter(({ reply }) => reply !== null).length
    const done = await story.mint.changed.waitFor(
      () => isAnswered() || isAtMint() || seen !== story.mint.calls().length + countAnswered(story.pending),
      story.mint.held.length > 0 ? story.quietMs : story.answerSeconds * 1000 + 1000,
    )
    if (isAnswered() || isAtMint() || done === null) return
  }
}

/** Concludes a step: lists the events since the last step, and their breaches. */
function conclude(story: Story, did: string, since: number): StepOutcome {
  const context = {
    ...story,
    issued: story.mint.issued,
    wasTokenlessSince: story.mint.wasTokenlessSince,
    isServedLater: (who: Caller) => isServedLater(story, who),
  }
  const answered = [...story.pending].filter(({ reply }) => reply !== null)
  for (const request of answered) story.pending.delete(request)
  const calls = story.mint.calls().slice(story.judgedCalls)
  story.judgedCalls = story.mint.calls().length
  const breaches: Breach[] = [
    ...answered.flatMap(({ asked, reply }) => (reply === null ? [] : judgeReply(asked, reply, context))),
    ...calls.flatMap((call) => judgeCall(call, { apiKey: story.apiKey, sessions: story.sessions })),
    ...judgeFlood(calls.length, story.recentRequests(), (story.clock.monotonic() - since) / 1000),
  ]
  for (const { reply } of answered) {
    const token = reply === null ? null : story.backend.tokenOf(reply)
    const issued = token === null ? null : story.mint.issued(token)
    if (
      issued !== null &&
      issued.expiresAt < Number.POSITIVE_INFINITY &&
      issued.expiresAt - story.clock.wall() < 10_000
    )
      story.lastExpiry = Math.max(story.lastExpiry, issued.expiresAt)
  }
  return {
    did,
    came: answered.map(({ asked, reply }) => describeReply(asked, reply, story.backend)),
    breaches,
  }
}

async function ask(
  story: Story,
  { who, mint: reaction }: Extract<BackendStep, { does: 'ask' }>,
): Promise<StepOutcome> {
  const endedAt = who.includes('a signed-out session') ? story.devices.endedAt() : null
  if (endedAt !== null) await story.clock.until(endedAt + afterSignOutMs)
  const since = story.clock.monotonic()
  const isOrdinary = reaction === 'a token' && story.pending.size === 0 && story.mint.held.length === 0
  const heldBefore = story.mint.held.length
  story.mint.react(reaction)
  const requests = await Promise.all(who.map((one) => send(story, one, isOrdinary)))
  await settle(story, requests, heldBefore)
  return conclude(story, `${describeCallers(who)}; ${describeReaction(reaction)}`, since)
}

function countAnswered(pending: ReadonlySet<Request>): number {
  return [...pending].filter(({ reply }) => reply !== null).length
}

function describeCallers(who: readonly Caller[]): string {
  if (who.length === 1) return `${who[0]} asks for a token`
  return `${who.join(' and ')} ask for tokens at once`
}

function describeReaction(reaction: Extract<BackendStep, { does: 'ask' }>['mint']): string {
  return reaction === 'nothing yet' ? 'the mint keeps the calls waiting' : `the mint answers with ${reaction}`
}

function describeReply({ who }: Asked, reply: Reply | null, backend: Backend): string {
  if (reply === null || reply.kind === 'no-answer') return `${who}: no response`
  return `${who}: ${reply.status}${backend.tokenOf(reply) === null ? '' : ' with a token'}`
}
