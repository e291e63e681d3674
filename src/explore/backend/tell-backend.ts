import type { Clock } from '../../base/clock.ts'
import type { Reply } from '../../base/http/client.ts'
import type { Backend } from '../../roles/backend/driver.ts'
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
}

/** Where calls are kept waiting, nothing more is expected after so long without an event. */
const quietMs = 120
/** Behind an expiry, so that no clock is in doubt. */
const afterExpiryMs = 500
/** A user who is not served is asked for so long: backends pause after failures. */
const healingMs = 35_000
const betweenTriesMs = 500

interface Request {
  readonly asked: Asked
  reply: Reply | null
}

/** One story about a backend: who is signed in, what was asked and is not answered yet, which calls the mint keeps waiting. */
export function tellBackend(options: BackendRunOptions): ModelRun<BackendStep> {
  const { backend, apiKey, mint, devices, clock, answerSeconds, recentRequests } = options
  const pending = new Set<Request>()
  const sessions = new Set<string>()
  let judgedCalls = mint.calls().length
  let lastExpiry = 0

  const isServedLater = async (who: Caller): Promise<boolean> => {
    mint.react('a token')
    const until = clock.monotonic() + healingMs
    while (clock.monotonic() < until) {
      const { session } = await devices.present(who)
      if (backend.tokenOf(await backend.request({ session, followRedirects: true })) !== null) return true
      await clock.until(clock.monotonic() + betweenTriesMs)
    }
    return false
  }
  const context = {
    backend,
    apiKey,
    issued: mint.issued,
    wasTokenlessSince: mint.wasTokenlessSince,
    isServedLater,
  }

  const send = async (who: Caller, isOrdinary: boolean): Promise<Request> => {
    const { session, userId, endedAt } = await devices.present(who)
    if (session !== null) sessions.add(session)
    const request: Request = {
      asked: {
        who,
        userId,
        sentAt: clock.wall(),
        isOrdinary,
        endedForMs: endedAt === undefined ? null : performance.now() - endedAt,
      },
      reply: null,
    }
    pending.add(request)
    const deadlineMs = answerSeconds * 1000
    void backend.request({ session, followRedirects: true, deadlineMs }).then((reply) => {
      request.reply = reply
      mint.changed.notify()
    })
    return request
  }

  /** Until these are answered; where calls are kept waiting, until nothing happens any more. */
  const settle = async (awaited: readonly Request[], heldBefore: number): Promise<void> => {
    const isAnswered = () => awaited.every(({ reply }) => reply !== null)
    const isAtMint = () =>
      mint.held.length - heldBefore >= awaited.filter(({ reply }) => reply === null).length &&
      mint.held.length > heldBefore
    for (;;) {
      const seen = mint.calls().length + [...pending].filter(({ reply }) => reply !== null).length
      const done = await mint.changed.waitFor(
        () => isAnswered() || isAtMint() || seen !== mint.calls().length + countAnswered(pending),
        mint.held.length > 0 ? quietMs : answerSeconds * 1000 + 1000,
      )
      if (isAnswered() || isAtMint() || done === null) return
    }
  }

  /** Concludes a step: lists the events since the last step, and their breaches. */
  const conclude = (did: string, since: number): StepOutcome => {
    const answered = [...pending].filter(({ reply }) => reply !== null)
    for (const request of answered) pending.delete(request)
    const calls = mint.calls().slice(judgedCalls)
    judgedCalls = mint.calls().length
    const breaches: Breach[] = [
      ...answered.flatMap(({ asked, reply }) => (reply === null ? [] : judgeReply(asked, reply, context))),
      ...calls.flatMap((call) => judgeCall(call, { apiKey, sessions })),
      ...judgeFlood(calls.length, recentRequests(), (clock.monotonic() - since) / 1000),
    ]
    for (const { reply } of answered) {
      const token = reply === null ? null : backend.tokenOf(reply)
      const issued = token === null ? null : mint.issued(token)
      if (
        issued !== null &&
        issued.expiresAt < Number.POSITIVE_INFINITY &&
        issued.expiresAt - clock.wall() < 10_000
      )
        lastExpiry = Math.max(lastExpiry, issued.expiresAt)
    }
    return { did, came: answered.map(({ asked, reply }) => describeReply(asked, reply, backend)), breaches }
  }

  const ask = async ({
    who,
    mint: reaction,
  }: Extract<BackendStep, { does: 'ask' }>): Promise<StepOutcome> => {
    const since = clock.monotonic()
    const isOrdinary = reaction === 'a token' && pending.size === 0 && mint.held.length === 0
    const heldBefore = mint.held.length
    mint.react(reaction)
    const requests = await Promise.all(who.map((one) => send(one, isOrdinary)))
    await settle(requests, heldBefore)
    return conclude(`${describeCallers(who)}; ${describeReaction(reaction)}`, since)
  }

  return {
    canTake(step) {
      if (step.does === 'answer') return mint.held.length > 0
      if (step.does === 'expire') return lastExpiry + afterExpiryMs > clock.wall()
      if (step.does === 'sign out') return devices.canSignOut(step.who)
      if (step.does === 'sign in') return devices.canSignIn(step.who)
      return step.who.every((who) => devices.has(who))
    },
    async take(step) {
      const since = clock.monotonic()
      if (step.does === 'ask') return await ask(step)
      if (step.does === 'expire') {
        await clock.until(clock.monotonic() + Math.max(0, lastExpiry + afterExpiryMs - clock.wall()))
        return conclude('the tokens that soon expire have expired', since)
      }
      if (step.does === 'sign out') {
        await devices.signOut(step.who)
        return conclude(`${step.who} signs out`, since)
      }
      if (step.does === 'sign in') {
        await devices.signIn(step.who)
        return conclude(`${step.who} signs in again`, since)
      }
      const which = step.which % mint.held.length
      const place =
        mint.held.length === 1 ? 'the waiting call' : `waiting call ${which + 1} of ${mint.held.length}`
      const before = countAnswered(pending)
      mint.release(which, step.mint)
      await mint.changed.waitFor(() => countAnswered(pending) > before, quietMs)
      return conclude(`the mint answers ${place} with ${step.mint}`, since)
    },
    async end() {
      const since = clock.monotonic()
      mint.react('a token')
      while (mint.held.length > 0) mint.release(0, 'a token')
      const left = [...pending]
      await settle(left, 0)
      return conclude('the mint answers every call with a token', since)
    },
  }
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
