import { expect, test } from 'vitest'
import { auditInMemory } from '../src/audit/in-memory.ts'
import { isKnownGap } from './known-gaps.ts'
import { loadSamples, readSample, type Sample } from './samples.ts'

const samples = await loadSamples()

async function leaks(name: string, bytes: Buffer) {
  const { findings, gaps } = await auditInMemory({ location: name, name, bytes })
  expect(gaps).toEqual([])
  return findings.filter(({ level }) => level === 'error')
}

function missed(sample: Sample, found: readonly { fingerprint: string }[]): string[] {
  const seen = new Set(found.map(({ fingerprint }) => fingerprint))
  return sample.planted
    .filter(({ fingerprint }) => !seen.has(fingerprint))
    .filter(({ slot, encoding }) => !isKnownGap({ format: sample.format, slot, encoding }))
    .map(({ slot, encoding }) => `${slot}: ${encoding}`)
}

test.each(samples)(
  '$file gives up every key that its tool put in, to its exact end, and no other',
  async (sample) => {
    const known = new Set(sample.planted.map(({ fingerprint }) => fingerprint))
    const found = await leaks(sample.file, await readSample(sample))
    expect(missed(sample, found)).toEqual([])
    expect(found.filter(({ fingerprint }) => !known.has(fingerprint))).toEqual([])
  },
)
