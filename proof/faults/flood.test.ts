import { expect, test } from 'vitest'
import { startMint } from '../../fixtures/mint/server.ts'
import { createWorkplace } from '../../src/cli/testing/workplace.ts'
import { startTurningPeer } from './testing/turning.ts'

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
