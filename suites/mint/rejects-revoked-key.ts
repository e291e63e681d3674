import type { Reply } from '../../src/base/http/client.ts'
import { defineCheck } from '../../src/requirement/define.ts'

/** Seconds after the revocation at which the key is tried, up to `limits.leewayFailSeconds`. */
const ladder = [0, 0.5, 1, 2, 5, 10, 20, 35, 60, 90, 120, 180, 240, 300, 450, 600, 900]

export default defineCheck({
  id: 'MINT-21',
  role: 'mint',
  level: 'SHOULD',
  kind: 'rejects',
  clauses: ['7'],
  title: 'rejects a revoked API key soon',
  why: 'A leaked key is revoked to stop its use; a mint that has cached it goes on issuing tokens to the thief.',
  how: {
    does: [
      'A key must mint.',
      'Then hooks.revokeKey revokes it, and the suite tries it until it is rejected; the seconds are recorded.',
      'A rate limit, a server error or no response is no rejection.',
      'The configured key must mint before and after.',
    ],
    fails: ['A key that still mints after limits.leewayFailSeconds; only such a service costs that time.'],
    warns: ['A key that mints after limits.leewayWarnSeconds.'],
  },
  mints: 4,
  needs: ['mint', 'revokeKeyHook'],
  phase: 'last',
  async run({ mint, newUser, revokeKeyHook, configuration, clock }, judge) {
    const { key } = revokeKeyHook
    const { leewayWarnSeconds: warnAfter, leewayFailSeconds: failAfter } = configuration.limits
    if (key === mint.apiKey)
      return judge.untested(
        'hooks.revokeKey would revoke mint.apiKey, with which everything else is judged: give hooks.revokeKey.key',
      )
    const ask = () => mint.request({ key, userId: newUser(), followRedirects: true })
    await judge.sandwich(
      () => mint.token(newUser()),
      async () => {
        const before = await ask()
        if (mint.issuedBy(before) === null)
          return judge.lost('control failed: the key that is to be revoked does not mint', [before.exchange])
        await revokeKeyHook.run()
        const start = clock.monotonic()
        let reply: Reply = before
        let mintedAt: Reply | null = null
        let isRejected = false
        for (const after of [...ladder.filter((seconds) => seconds < failAfter), failAfter]) {
          await clock.until(start + after * 1000)
          reply = await ask()
          if (mint.issuedBy(reply) !== null) mintedAt = reply
          else isRejected = reply.kind === 'answer' && isDecision(reply.status)
          if (isRejected) break
        }
        const secondsOf = ({ sentAt }: Reply) => Math.round((sentAt - start) / 100) / 10
        if (isRejected) judge.observe('mint.revocationSeconds', secondsOf(reply))
        const late = mintedAt === null ? 0 : secondsOf(mintedAt)
        const breach = {
          saw: `a token for an API key that was revoked ${late} s before`,
          fix: 'Look revoked keys up, or bound every cache of keys to seconds; hooks.revokeKey must revoke the key in TWOTOKEN_KEY.',
          evidence: [before.exchange, (mintedAt ?? reply).exchange],
        }
        if (!isRejected && mintedAt !== reply)
          return judge.lost('no response to the revoked key was a rejection', [reply.exchange])
        judge.must(late < failAfter, { ...breach, expected: 'no token for an invalid key (7)' })
        if (late < failAfter)
          judge.should(late <= warnAfter, {
            ...breach,
            expected: `no token ${warnAfter} s after the revocation (7)`,
          })
      },
    )
  },
  catches: {
    'never forgets a key': {
      mint: rememberKeys(Number.POSITIVE_INFINITY),
      configuration: { limits: { leewayWarnSeconds: 1, leewayFailSeconds: 2 } },
    },
    'forgets a key after a while': {
      mint: rememberKeys(4),
      configuration: { limits: { leewayWarnSeconds: 1, leewayFailSeconds: 6 } },
      as: 'warn',
    },
    'is overloaded when a key was revoked': {
      mint: {
        answer: (usual) =>
          usual.status === 401 ? { status: 503, headers: {}, body: '{"error":"busy"}' } : usual,
      },
      configuration: { limits: { leewayWarnSeconds: 1, leewayFailSeconds: 2 } },
      as: 'error',
    },
  },
})

/** A status by which the mint itself has decided about the key. */
function isDecision(status: number): boolean {
  return status >= 300 && status < 500 && status !== 429
}

/** A mint that serves a revoked key so many times more: by the suite's ladder, the last of four is after two seconds. */
function rememberKeys(times: number) {
  const left = new Map<string, number>()
  return {
    keyMatches(presented: string, key: string) {
      const more = left.get(presented)
      if (presented === key) left.set(key, times)
      else if (more !== undefined) left.set(presented, more - 1)
      return presented === key || (more ?? 0) > 0
    },
  }
}
