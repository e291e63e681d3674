import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ControlLost } from '../../../src/base/inconclusive.ts'
import type { AnyCheck } from '../../../src/requirement/define.ts'
import { judgeParts } from '../../../src/requirement/testing/judge-parts.ts'
import isWhollyAudited from '../has-no-unauditable-content.ts'
import shipsNoCallingToken from '../ships-no-calling-token.ts'
import { createSample } from './sample.ts'

async function verdictOn(check: AnyCheck, name: object, mint?: object) {
  const parts = {
    configuration: { directory: join(import.meta.dirname), ...name },
    available: () => mint,
    newUser: () => 'user',
  }
  return await judgeParts(check, parts)
}

test('PKG-02 is untested where the mint gives no token to compare with', async () => {
  const mint = { token: () => Promise.reject(new ControlLost('the mint returned 503')) }
  expect(await verdictOn(shipsNoCallingToken, createSample('clean').configuration ?? {}, mint)).toMatchObject(
    { verdict: 'untested', reason: 'no token of the mint to compare with: the mint returned 503' },
  )
})

test('a part that cannot be read leaves the bundle untested', async () => {
  const { verdict, reason } = await verdictOn(isWhollyAudited, createSample('unreadable').configuration ?? {})
  expect(verdict).toBe('untested')
  expect(reason).toContain('app.js.gz')
})
