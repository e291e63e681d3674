import { expect, test } from 'vitest'
import { startReference } from '../../fixtures/stack.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import type { Variant } from '../../src/requirement/define.ts'
import { runCheck } from '../../src/requirement/run.ts'
import { openSession } from '../../src/requirement/session.ts'

/** As large as the suite reads: an effort by its square would take longer than any test may. */
const size = 1_000_000

/** Bodies that are made to keep the reader busy. */
const hostile: Readonly<Record<string, string>> = {
  'headers of tokens': 'ey'.repeat(size / 2),
  'headers of tokens with dots': 'eyJhIjoxfQ.'.repeat(size / 11),
  'nested arrays': '['.repeat(size / 2) + ']'.repeat(size / 2),
  'nested objects': `${'{"a":'.repeat(size / 6)}1${'}'.repeat(size / 6)}`,
  'an array of tokens': `[${'"eyJhIjoxfQ.eyJhIjoxfQ.aaaa",'.repeat(size / 32)}1]`,
  'many fields': `{${Array.from({ length: size / 20 }, (_, index) => `"k${index}":"u-alice"`).join()}}`,
  'escaped quotes': '\\"'.repeat(size / 2),
  dots: '.'.repeat(size),
}

async function judged(variant: Variant, id: string) {
  const checks = await loadCatalogue()
  const check = checks.find((one) => one.id === id)
  if (check === undefined) throw new Error(`there is no ${id}`)
  await using reference = await startReference({ variant })
  await using session = await openSession(reference.configuration)
  return await runCheck(check, session)
}

test.each(Object.keys(hostile))('a service that answers with %s is judged', async (name) => {
  const body = hostile[name] ?? ''
  const answer = <Usual extends { readonly body: string }>(usual: Usual) => ({ ...usual, body })
  const mint = await judged({ mint: { answer } }, 'MINT-20')
  expect(mint.reason ?? '').not.toContain('internal error')
  const backend = await judged({ backend: { answer } }, 'BACK-02')
  expect(backend.reason ?? '').not.toContain('internal error')
})
