import { expect, test } from 'vitest'
import { steppingClock } from '../../../src/base/testing/stepping-clock.ts'
import { createJudge } from '../../../src/requirement/judge.ts'
import { askAtOnce, askWhatIsKept, askWhileCallsFail } from '../separates-concurrent-users.ts'

const [alice, bob] = ['u-alice', 'u-bob'].map((userId) => ({
  session: { token: userId, userId },
  id: userId,
}))
const users = [alice, bob] as never

interface Asked {
  readonly session: { readonly userId: string }
}

/** A judge that says `info` where nothing was left untested. */
function createObserver() {
  const judge = createJudge('MUST')
  judge.onlyObserved('tokens are judged elsewhere')
  return judge
}

const tokenOf = ({ token }: { readonly token?: string }) => token ?? null

test.each([
  ['overlap', 1_000, 'info'],
  ['follow each other', 20, 'untested'],
] as const)('requests that %s', async (_, tookMs, verdict) => {
  let sent = 0
  const request = async () => {
    sent += 1
    const sentAt = sent * 20
    return { kind: 'answer', token: `t-${sent}`, sentAt, receivedAt: sentAt + tookMs, exchange: 'x1' }
  }
  const judge = createObserver()
  await askAtOnce({ backend: { request, tokenOf } } as never, users, judge)
  expect(judge.conclude().verdict).toBe(verdict)
})

test.each([
  ['answers at once', 0, false, 'info'],
  ['takes so long that longer-lived tokens have to be asked for', 2_000, false, 'info'],
  ['takes longer than those live', 20_000, false, 'untested'],
  ['does not answer a user', 0, true, 'untested'],
] as const)('users in turn at a backend that %s', async (_, tookMs, isSilentToBob, verdict) => {
  let now = 0
  let sent = 0
  const request = async ({ session }: Asked) => {
    const sentAt = now
    now += tookMs
    sent += 1
    const common = { sentAt, receivedAt: now, exchange: 'x1' }
    return isSilentToBob && session.userId === bob?.id
      ? { kind: 'no-answer', failure: 'timeout', ...common }
      : { kind: 'answer', token: `t-${sent}`, ...common }
  }
  const judge = createObserver()
  const clock = { monotonic: () => now }
  await askWhatIsKept(
    { backend: { request, tokenOf }, clock } as never,
    { lifetime: () => undefined },
    users,
    judge,
  )
  expect(judge.conclude().verdict).toBe(verdict)
})

type Script = (call: object, ordinary: () => Promise<string>) => Promise<string>

test.each([
  ['at the same time', { late: 0, isSerial: false }, 'info'],
  ['one after the other', { late: 0, isSerial: true }, 'info'],
  ['at the same time, where one user is late once', { late: 2, isSerial: false }, 'info'],
  ['at the same time, where one user is always late', { late: 100, isSerial: false }, 'untested'],
] as const)('a backend that calls the mint for two users %s', async (_, { late, isSerial }, verdict) => {
  const { clock, settle } = steppingClock()
  let script: Script | null = null
  let queue: Promise<unknown> = Promise.resolve()
  let lateLeft: number = late
  const double = {
    answer(next: Script | null) {
      script = next
    },
  }
  const callMint = async (userId: string) =>
    script === null ? 'token' : await script({ method: 'POST', userId }, async () => 'token')
  const mint = async (userId: string) =>
    (await callMint(userId)) === 'token' ? 'token' : await callMint(userId)
  const request = async ({ session }: Asked) => {
    if (session.userId === bob?.id && lateLeft > 0) {
      lateLeft -= 1
      await clock.until(clock.monotonic() + 6_000)
    }
    const sentAt = clock.monotonic()
    const call = isSerial ? queue.then(() => mint(session.userId)) : mint(session.userId)
    queue = call
    const token = await call
    return { kind: 'answer', token, sentAt, receivedAt: clock.monotonic(), exchange: 'x1' }
  }
  const judge = createObserver()
  const parts = { backend: { request, tokenOf }, clock }
  await settle(askWhileCallsFail(parts as never, double as never, users, judge))
  expect(judge.conclude().verdict).toBe(verdict)
})
