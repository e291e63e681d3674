import { expect, test } from 'vitest'
import { auditInMemory } from '../src/testing/audit-files.ts'
import { isKnownGap } from './known-gaps.ts'
import { loadSamples, readSample } from './samples.ts'

test.each(await loadSamples())(
  '$file gives up every key that its tool put in, to its exact end, and no other',
  async (sample) => {
    const { file, format, planted } = sample
    const bytes = await readSample(sample)
    const { findings, gaps } = await auditInMemory({ location: file, name: file, bytes })
    const found = findings.filter(({ level }) => level === 'error').map(({ fingerprint }) => fingerprint)
    const missed = planted.filter(({ fingerprint }) => !found.includes(fingerprint))
    expect(missed.filter(({ slot, encoding }) => !isKnownGap({ format, slot, encoding }))).toEqual([])
    const known = new Set(planted.map(({ fingerprint }) => fingerprint))
    expect(found.filter((fingerprint) => !known.has(fingerprint))).toEqual([])
    expect(gaps).toEqual([])
  },
)
