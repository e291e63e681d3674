import { describe, expect, test } from 'vitest'
import { auditInMemory } from '../src/audit/in-memory.ts'
import { fatOf } from './builders/native.ts'
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

describe.each(samples)('$file', (sample) => {
  const known = new Set(sample.planted.map(({ fingerprint }) => fingerprint))

  test('gives up every key that its tool put in, to its exact end, and no other', async () => {
    const found = await leaks(sample.file, await readSample(sample))
    expect(missed(sample, found)).toEqual([])
    expect(found.filter(({ fingerprint }) => !known.has(fingerprint))).toEqual([])
  })
})

test('a fat Mach-O gives up the keys of both slices', async () => {
  const slices = samples.filter(({ format }) => format.startsWith('mach-o'))
  const bytes = fatOf(
    await Promise.all(
      slices.map(async (slice, index) => ({ cpu: 0x01000007 + index * 5, bytes: await readSample(slice) })),
    ),
  )
  const found = await leaks('fat.dylib', bytes)
  expect(slices).toHaveLength(2)
  expect(slices.flatMap((slice) => missed(slice, found))).toEqual([])
})
