import { expect, test } from 'vitest'
import { findCheck, loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { judge } from '../variants/testing/prove.ts'

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

const catalogue = await loadCatalogue()

test.each(Object.keys(hostile))('a service that answers with %s is judged', async (name) => {
  const body = hostile[name] ?? ''
  const answer = <Usual extends { readonly body: string }>(usual: Usual) => ({ ...usual, body })
  const mint = await judge(findCheck('MINT-20', catalogue), { mint: { answer } })
  expect(mint.reason ?? '').not.toContain('internal error')
  const backend = await judge(findCheck('BACK-02', catalogue), { backend: { answer } })
  expect(backend.reason ?? '').not.toContain('internal error')
})
