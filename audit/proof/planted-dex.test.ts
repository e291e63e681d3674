import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createCanaries } from '../src/self-test/canary.ts'
import { loadInjectors } from '../src/self-test/injectors.ts'
import { createPlan } from '../src/self-test/plan.ts'
import { createRandom } from '../src/testing/fuzz.ts'
import { loadSamples, readSample } from './samples.ts'

async function planted(): Promise<Buffer> {
  const sample = (await loadSamples()).find(({ format }) => format === 'dex')
  if (sample === undefined) throw new Error('there is no DEX sample')
  const plan = createPlan(createCanaries('ac_live_', createRandom(20261121)), await loadInjectors())
  const copy = plan.injectInto(sample.file, sample.file, await readSample(sample))
  if (copy === null) throw new Error('nothing was planted')
  return copy
}

function stringsOf(dex: Buffer): string[] {
  return Array.from({ length: dex.readUInt32LE(56) }, (_, index) => {
    const at = dex.readUInt32LE(dex.readUInt32LE(60) + index * 4) + 1
    return dex.toString('latin1', at, dex.indexOf(0, at))
  })
}

// Rules that Android's own verifier checks first. The proof also lets `dexdump` verify real files.
test('a DEX file with canaries keeps its order, its map and its checksums', async () => {
  const dex = await planted()
  const strings = stringsOf(dex)
  expect(strings).toEqual(strings.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(new Set(strings).size).toBe(strings.length)
  expect(strings.filter((text) => text.startsWith('ac_live_')).length).toBeGreaterThan(8)

  const map = dex.readUInt32LE(52)
  const offsets = Array.from({ length: dex.readUInt32LE(map) }, (_, row) =>
    dex.readUInt32LE(map + 12 + row * 12),
  )
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b))
  expect(dex.readUInt32LE(32)).toBe(dex.length)
  expect(dex.readUInt32LE(104) + dex.readUInt32LE(108)).toBe(dex.length)
  expect(dex.toString('hex', 12, 32)).toBe(createHash('sha1').update(dex.subarray(32)).digest('hex'))
  const [a, b] = dex
    .subarray(12)
    .reduce<[number, number]>(([x, y], byte) => [(x + byte) % 65_521, (y + x + byte) % 65_521], [1, 0])
  expect(dex.readUInt32LE(8)).toBe(b * 65_536 + a)
})
