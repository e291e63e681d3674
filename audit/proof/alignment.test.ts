import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { auditInMemory } from '../src/engine/audit-in-memory.ts'
import type { AuditResult } from '../src/model/finding.ts'
import { auditFiles } from '../src/testing/audit-files.ts'
import { buildZip } from '../src/testing/build-zip.ts'
import { samplesFolder } from './samples.ts'

const settings = { mintHost: 'api.acme.example' }
const offsets = Array.from({ length: 15 }, (_, index) => index + 1)
/** Each entry of an archive begins elsewhere: with the offsets in memory, which are all, a few are enough. */
const offsetsOfArchives = [0, 1, 6]
/** A call without a host, for which the whole file is searched for one. */
const call = Buffer.from('const headers = { accept: "*/*" }\nfetch("/api/v1/calling/token", { headers })\n')
const corpus = new Map([
  ...(
    await Promise.all([join(import.meta.dirname, '../../fixtures/bundles'), samplesFolder].map(filesIn))
  ).flat(),
  ['call.js', call],
])

async function filesIn(folder: string): Promise<[name: string, bytes: Buffer][]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = found.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  return await Promise.all(
    files.map(async (file): Promise<[string, Buffer]> => [relative(folder, file), await readFile(file)]),
  )
}

/** Findings by the path of their file, wherever it is. An exposed file has its path as its secret. */
function foundIn({ findings }: Pick<AuditResult, 'findings'>, outer: string): string[] {
  return findings
    .map(({ location, rule, kind, level, offset, length, fingerprint, shown, extent }) => {
      const secret = kind === 'exposure' ? null : { length, fingerprint }
      return JSON.stringify([location.slice(outer.length), rule, level, offset, secret, shown, extent])
    })
    .sort()
}

async function foundAt(offset: number): Promise<string[]> {
  const found: string[] = []
  for (const [path, bytes] of corpus) {
    const memory = Buffer.alloc(offset + bytes.length)
    const view = memory.subarray(offset)
    bytes.copy(view)
    const item = { location: path, name: path.slice(path.lastIndexOf('/') + 1), bytes: view }
    found.push(...foundIn(await auditInMemory(item, settings), ''))
  }
  return found.sort()
}

const expected = await foundAt(0)

test('the corpus has findings of every rule about keys, tokens and calls', () => {
  for (const rule of ['AUD-001', 'AUD-005', 'AUD-006', 'AUD-007', 'AUD-010', 'AUD-020', 'AUD-021'])
    expect(
      expected.some((finding) => finding.includes(`"${rule}"`)),
      rule,
    ).toBe(true)
  expect(expected.some((finding) => finding.includes('in the same file'))).toBe(true)
})

test.each(offsets)('a file in memory at an offset of %i', async (offset) => {
  expect(await foundAt(offset)).toEqual(expected)
})

describe.each([true, false])('an archive, stored: %s', (stored) => {
  test.each(offsetsOfArchives)('behind %i bytes', async (offset) => {
    // Each entry begins that much later than in the archive before it.
    const zip = buildZip(
      [...corpus].map(([name, bytes]) => ({ name, bytes, stored })),
      { gap: Buffer.alloc(offset) },
    )
    const bytes = Buffer.concat([Buffer.alloc(offset), zip]).subarray(offset)
    const audited = await auditInMemory({ location: 'a.zip', name: 'a.zip', bytes }, settings)
    expect(foundIn(audited, 'a.zip!')).toEqual(expected)
  })
})

test('files on disk, in a folder and in an archive', async () => {
  const inFolder = await auditFiles(Object.fromEntries(corpus), settings)
  expect(foundIn(inFolder, 'dist/')).toEqual(expected)
  const zip = buildZip([...corpus].map(([name, bytes]) => ({ name, bytes })))
  expect(foundIn(await auditFiles({ 'a.zip': zip }, settings), 'dist/a.zip!')).toEqual(expected)
})
