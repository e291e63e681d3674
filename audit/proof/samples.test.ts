import { expect, test } from 'vitest'
import { auditInMemory } from '../src/testing/audit-files.ts'
import { loadSamples, readSample } from './samples.ts'
import { isKnownGap } from './table.ts'

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

/** Words of 2, 4, 8 and 16 bytes are cut in each of these ways. */
const offsets = [1, 2, 4, 7, 8, 15]

test.each(await loadSamples())('$file is read alike wherever it is in memory', async (sample) => {
  const bytes = await readSample(sample)
  const readAt = async (offset: number) => {
    const memory = Buffer.alloc(offset + bytes.length)
    bytes.copy(memory, offset)
    const item = { location: sample.file, name: sample.file, bytes: memory.subarray(offset) }
    return await auditInMemory(item, { mintHost: 'api.acme.example' })
  }
  const { findings, gaps } = await readAt(0)
  expect(findings).not.toEqual([])
  for (const offset of offsets) expect(await readAt(offset)).toMatchObject({ findings, gaps })
})
