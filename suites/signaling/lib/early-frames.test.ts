import { expect, test } from 'vitest'
import { createJudge } from '../../../src/requirement/judge.ts'
import { judgeEarlyFrames } from './early-frames.ts'

interface Service {
  /** How an upgrade without a credential ends, after so many milliseconds. */
  readonly upgrade: readonly ['open' | 'rejected' | 'silent', number]
  readonly ping?: 'read' | 'unread'
}

async function judge({ upgrade: [kind, ms], ping = 'read' }: Service): Promise<string> {
  let now = 0
  const client = {
    events: [],
    send: () => true,
    sendFrames: async () => ping,
    next: async () => null,
    evidence: () => 'x1',
    async [Symbol.asyncDispose]() {},
  }
  const parts = {
    callingTokens: { fresh: async () => ({ jwt: 'a.b.c', userId: 'u-2' }) },
    signaling: {
      accepted: async () => ({}),
      control: async () => undefined,
      async unauthenticated() {
        now += ms
        return kind === 'open' ? client : kind
      },
    },
    clock: { monotonic: () => now },
    unknownUser: () => 'u-9',
  }
  const observer = { ...client, sendFrames: async () => 'read', userId: 'u-1' }
  const judging = createJudge('MUST')
  await judgeEarlyFrames(parts as never, { observer: observer as never, waitMs: 1_000 }, judging)
  return judging.conclude().verdict
}

test.each<[string, Service, string]>([
  ['rejects the upgrade', { upgrade: ['rejected', 10] }, 'pass'],
  ['ignores the upgrade for longer than answers take', { upgrade: ['silent', 8_000] }, 'pass'],
  ['may only be late with its answer to the upgrade', { upgrade: ['silent', 500] }, 'untested'],
  ['says nothing on an open socket', { upgrade: ['open', 10] }, 'pass'],
  [
    'answers nothing on an open socket, not even a ping',
    { upgrade: ['open', 10], ping: 'unread' },
    'untested',
  ],
])('SIG-36: signaling that %s', async (_, service, verdict) => {
  expect(await judge(service)).toBe(verdict)
})
