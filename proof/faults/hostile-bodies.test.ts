import { expect, test } from 'vitest'
import { startMint } from '../../fixtures/mint/server.ts'
import { findCheck, loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { createWorkplace } from '../../src/cli/testing/workplace.ts'
import { judge } from '../variants/testing/prove.ts'
import { startTurningPeer } from './testing/turning.ts'

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

const ids = ['MINT-01', 'MINT-04', 'MINT-05', 'MINT-08', 'MINT-09']

/** Each process of the command writes the most memory that it held, in KB. */
const notePeak = `import { appendFileSync } from 'node:fs'
process.on('exit', () => appendFileSync('peaks', process.resourceUsage().maxRSS + '\\n'))
`

test('a mint that floods each answer with 2 GB is not accused, and takes no memory of the command', async () => {
  await using mint = await startMint()
  await using peer = await startTurningPeer({
    upstream: { port: Number(new URL(mint.url).port), isTls: false },
    isHit: ({ before }) => before > 0,
    fault: 'floods',
  })
  peer.begin()
  const url = `http://127.0.0.1:${peer.port}`
  await using place = await createWorkplace({ mint: { url, apiKey: mint.keys.active } })
  await place.write('note-peak.mjs', notePeak)
  const prelude = 'export NODE_OPTIONS="--import ./note-peak.mjs"'
  const { code } = await place.start(['run', '--no-wait', '--only', ids.join(',')], { prelude }).ended
  const { checks } = await place.results()
  expect(checks.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(ids.map((id) => `${id} error`))
  expect(code).toBe(3)
  const peaks = (await place.read('../peaks')).trim().split('\n')
  // One shows the progress, one judges: it takes up to 290 MB, and a flood fills 134 MB that V8 reserves for new objects.
  expect(peaks).toHaveLength(2)
  for (const kilobytes of peaks) expect(Number(kilobytes)).toBeLessThan(600_000)
})
