import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { signsOf } from '../src/bytecode/worth.ts'
import { auditInMemory } from '../src/engine/audit-in-memory.ts'
import { auditFiles } from '../src/testing/audit-files.ts'
import { createRandom } from '../src/testing/fuzz.ts'
import { loadSamples, readSample, samplesFolder } from './samples.ts'

const assembled = (await loadSamples()).filter(({ file }) => file.startsWith('assembled-'))

test.each(assembled)('proves the keys that $file puts together', async (sample) => {
  const bytes = await readSample(sample)
  const { findings } = await auditInMemory({ location: sample.file, name: sample.file, bytes })
  const errors = findings.filter(({ level }) => level === 'error').map(({ fingerprint }) => fingerprint)
  expect(new Set(errors)).toEqual(new Set(sample.planted.map(({ fingerprint }) => fingerprint)))
})

test('proves the same keys where the classes of an archive lie in a folder', async () => {
  const sample = assembled.find(({ file }) => file === 'assembled-classes.jar')
  if (sample === undefined) throw new Error('the archive of classes is missing')
  const entries = Object.entries(unzipSync(await readSample(sample)))
  const files = entries.filter(([name]) => name.endsWith('.class'))
  const classes = Object.fromEntries(files.map(([name, bytes]) => [name, Buffer.from(bytes)]))
  const { findings, gaps } = await auditFiles(classes)
  const errors = findings.filter(({ level }) => level === 'error').map(({ fingerprint }) => fingerprint)
  expect(new Set(errors)).toEqual(new Set(sample.planted.map(({ fingerprint }) => fingerprint)))
  expect(gaps).toEqual([])
})

test('reports nothing where the prefix is known only at run time', async () => {
  const bytes = await readFile(join(samplesFolder, 'assembled-kotlin.dex'))
  const before = await auditInMemory({ location: 'a.dex', name: 'a.dex', bytes })
  // `id("ac_")` becomes a call of a method with another text, as if the part came from elsewhere.
  const other = Buffer.from(bytes.toString('latin1').replaceAll('\x03ac_\0', '\x03xx_\0'), 'latin1')
  const after = await auditInMemory({ location: 'a.dex', name: 'a.dex', bytes: other })
  // `plus`, `companion`, `lazyVal` and `nameOfEnum` begin with it.
  expect(before.findings.length - after.findings.length).toBe(4)
})

test.each(assembled)(
  'reads damaged code of $file without a failure, and none of it for long',
  async (sample) => {
    const random = createRandom(5)
    const whole = await readSample(sample)
    for (let time = 0; time < 60; time++) {
      const bytes = Buffer.from(whole)
      for (let change = 0; change < 1 + (time % 20); change++)
        bytes[8 + random(bytes.length - 8)] = random(256)
      const { gaps } = await auditInMemory({ location: sample.file, name: sample.file, bytes })
      expect(gaps.filter(({ reason }) => reason.includes('failed'))).toEqual([])
    }
  },
)

test.each([
  ['pieces in any order', ['e_9f86d08188', 'ac_l', 'iv'], [0, 1, 0]],
  ['words that are joined by underscores', ['ac', 'live', 'other'], [0, 1, 0]],
  ['a text that something was taken out of', ['ac_XXXX_9f86d081884c7d659a2f'], [1]],
  ['nothing of it', ['mac', 'zodiac', 'alive', 'e_mail'], [0, 0, 0, 0]],
])('knows a piece of a prefix: %s', (_, texts, expected) => {
  let at = 0
  const bytes = Buffer.from(texts.join(''))
  const places = texts.map((text) => {
    const start = at
    at += text.length
    return { start, end: at }
  })
  expect([...signsOf(bytes, places, 'ac_live_')].map((signs) => signs & 1)).toEqual(expected)
})
