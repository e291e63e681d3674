import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyCheck } from '../../../src/requirement/define.ts'
import { createJudge } from '../../../src/requirement/judge.ts'
import callsNoMint from '../contains-no-mint-call.ts'
import isWhollyAudited from '../has-no-unauditable-content.ts'
import shipsNoCallingToken from '../ships-no-calling-token.ts'
import shipsNoServerKey from '../ships-no-server-key.ts'
import { createSample } from './sample.ts'

const checks: AnyCheck[] = [shipsNoServerKey, shipsNoCallingToken, callsNoMint, isWhollyAudited]

async function verdictOn(check: AnyCheck, name: object) {
  const judge = createJudge(check.level)
  const parts = {
    configuration: { directory: join(import.meta.dirname), ...name },
    available: () => undefined,
    newUser: () => 'user',
  }
  await check.run(parts as never, judge)
  return judge.conclude()
}

const clean = ['clean', 'decoys', 'decoys-android', 'decoys-hermes', 'own-route']
test.each(checks.flatMap((check) => clean.map((name) => ({ check, name }))))(
  '$check.id passes $name',
  async ({ check, name }) => {
    const { verdict, findings } = await verdictOn(check, createSample(name).configuration ?? {})
    // The bare prefix, as a guard has it, warns that a key may be put together at run time.
    const isWarned = check.id === 'PKG-01' && name === 'decoys'
    expect(findings.filter(({ message }) => !message.includes('AUD-004'))).toEqual([])
    expect(verdict).toBe(isWarned ? 'warn' : 'pass')
  },
)

const broken = checks.flatMap((check) =>
  Object.entries(check.catches).map(([name, { as = 'fail', configuration = {} }]) => ({
    check,
    name,
    as,
    configuration,
  })),
)
test.each(broken)('$check.id catches a bundle with it $name', async ({ check, as, configuration }) => {
  expect((await verdictOn(check, configuration)).verdict).toBe(as)
})

test('a part that cannot be read leaves the bundle untested', async () => {
  const { verdict, reason } = await verdictOn(isWhollyAudited, createSample('unreadable').configuration ?? {})
  expect(verdict).toBe('untested')
  expect(reason).toContain('app.js.gz')
})
