import type { Reply } from '../../src/base/http/client.ts'
import { defineCheck } from '../../src/requirement/define.ts'
import { endKey, isHidden } from './lib/revoke-key.ts'

export default defineCheck({
  id: 'MINT-21',
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
    warns: ['A key that mints after limits.leewayWarnSeconds.', 'A rejection with a status of success.'],
  },
  mints: 4,
  needs: ['mint', 'revokeKeyHook'],
  stage: 'ended',
  async run(parts, judge) {
    const { mint, newUser, configuration } = parts
    const { leewayWarnSeconds: warnAfter, leewayFailSeconds: failAfter } = configuration.limits
    const judgeKey = async () => {
      const { outcome } = endKey(parts, 'revokeKey', parts.revokeKeyHook)
      const { revokedAt, before, last, minted, isRejected } = await outcome
      const secondsOf = ({ sentAt }: Reply) => Math.round((sentAt - revokedAt) / 100) / 10
      const late = minted === null ? 0 : secondsOf(minted)
      const rejected = secondsOf(last)
      if (!isRejected && minted !== last)
        return judge.lost('no response to the revoked key was a rejection', [last.exchange])
      if (isRejected) judge.observe('mint.revocationSeconds', rejected)
      if (isRejected && last.kind === 'answer')
        judge.typical(last.status >= 400, {
          saw: `status ${last.status} without a token for a revoked API key`,
          expected: 'status 401 (7)',
          fix: 'Answer 401.',
          evidence: [last.exchange],
        })
      if (isRejected && [warnAfter, failAfter].some((limit) => isHidden(limit, late, rejected)))
        return judge.untested(
          `between ${late} and ${rejected} s after the revocation no response decided about the key`,
        )
      const breach = {
        saw: `a token for an API key that was revoked ${late} s before`,
        fix: 'Look revoked keys up, or bound every cache of keys to seconds; hooks.revokeKey must revoke the key in TWOTOKEN_KEY.',
        evidence: [before.exchange, (minted ?? last).exchange],
      }
      if (judge.must(late < failAfter, { ...breach, expected: 'no token for an invalid key (7)' }))
        judge.should(late <= warnAfter, {
          ...breach,
          expected: `no token ${warnAfter} s after the revocation (7)`,
        })
    }
    await judge.sandwich(() => mint.token(newUser()), judgeKey)
  },
})
