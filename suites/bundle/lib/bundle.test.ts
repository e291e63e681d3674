import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ControlLost } from '../../../src/base/inconclusive.ts'
import type { AnyCheck } from '../../../src/requirement/define.ts'
import { createJudge } from '../../../src/requirement/judge.ts'
import callsNoMint from '../contains-no-mint-call.ts'
import isWhollyAudited from '../has-no-unauditable-content.ts'
import shipsNoCallingToken from '../ships-no-calling-token.ts'
import shipsNoServerKey from '../ships-no-server-key.ts'
import { createSample } from './sample.ts'

const checks: AnyCheck[] = [shipsNoServerKey, shipsNoCallingToken, callsNoMint, isWhollyAudited]

async function verdictOn(check: AnyCheck, name: object, mint?: object) {
  const judge = createJudge(check.level)
  const parts = {
    configuration: { directory: join(import.meta.dirname), ...name },
    available: () => mint,
    newUser: () => 'user',
  }
  await check.run(parts as never, judge)
  return judge.conclude()
}

test('PKG-02 is untested where the mint gives no token to compare with', async () => {
  const { verdict, reason } = await verdictOn(
    shipsNoCallingToken,
    createSample('clean').configuration ?? {},
    {
      token: () => Promise.reject(new ControlLost('the mint returned 503')),
    },
  )
  expect({ verdict, reason }).toEqual({
    verdict: 'untested',
    reason: 'no token of the mint to compare with: the mint returned 503',
  })
})

const clean = ['clean', 'decoys', 'decoys-android', 'decoys-hermes', 'own-route']
test.each(checks.flatMap((check) => clean.map((name) => ({ check, name }))))(
  '$check.id passes $name',
  async ({ check, name }) => {
    const { verdict, findings } = await verdictOn(check, createSample(name).configuration ?? {})
    expect(findings).toEqual([])
    expect(verdict).toBe('pass')
  },
)

test('a part that cannot be read leaves the bundle untested', async () => {
  const { verdict, reason } = await verdictOn(isWhollyAudited, createSample('unreadable').configuration ?? {})
  expect(verdict).toBe('untested')
  expect(reason).toContain('app.js.gz')
})
