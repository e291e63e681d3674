import { describe, expect, test } from 'vitest'
import { auditInMemory } from '../src/engine/audit-in-memory.ts'
import { plain } from '../src/self-test/encodings.ts'
import { loadInjectors } from '../src/self-test/injectors.ts'
import { loadSamples, readSample } from './samples.ts'

/** With another prefix than that of their keys, the samples hold no key. Where code assembles one, this prefix makes another. */
const prefix = 'qx_live_'
const injectors = await loadInjectors()
const samples = (await loadSamples()).filter(({ file }) => !/^assembled-|\.(?:apk|aab)$/.test(file))

describe.each(samples)('$file', (sample) => {
  test('is warned about where it holds the bare prefix as a value', async () => {
    const bytes = await readSample(sample)
    const injector = injectors.find(({ recognises }) => recognises(sample.file, bytes))
    for (const { slot } of injector?.slots ?? []) {
      // The name of the section ends in a letter directly before it, as a word that ends in the prefix would.
      if (slot === 'custom section') continue
      const wish = { slot, encoding: plain.name, key: prefix, payload: plain.encode(prefix) }
      const planted = injector?.inject(bytes, [wish])
      if (planted === undefined || planted.refused.size > 0) continue
      const audit = { location: sample.file, name: sample.file, bytes: planted.bytes }
      const { findings } = await auditInMemory(audit, { prefix })
      expect
        .soft(
          findings.filter(({ level }) => level !== 'note'),
          slot,
        )
        .toMatchObject([{ rule: 'AUD-004', level: 'warning' }])
    }
  })
})
