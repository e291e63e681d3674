import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { auditInMemory } from '../src/audit/in-memory.ts'
import type { AuditResult } from '../src/model/finding.ts'
import { samplesFolder } from './samples.ts'

const settings = { mintHost: 'api.acme.example' }
/** Words of 2, 4, 8 and 16 bytes are cut in each of these ways. */
const offsets = [1, 2, 4, 7, 8, 15]
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

/** Each finding of one file, whole. An exposed file has its path as its secret. */
function detailsOf({ findings }: AuditResult): string[] {
  return findings.map(({ location, rule, kind, level, offset, length, fingerprint, shown, extent }) => {
    const secret = kind === 'exposure' ? null : { length, fingerprint }
    return JSON.stringify([location, rule, level, offset, secret, shown, extent])
  })
}

async function foundAt(offset: number): Promise<string[]> {
  const found: string[] = []
  for (const [path, bytes] of corpus) {
    const memory = Buffer.alloc(offset + bytes.length)
    const view = memory.subarray(offset)
    bytes.copy(view)
    const item = { location: path, name: path.slice(path.lastIndexOf('/') + 1), bytes: view }
    found.push(...detailsOf(await auditInMemory(item, settings)))
  }
  return found.sort()
}

const expected = await foundAt(0)

test.each(offsets)('a file in memory at an offset of %i', async (offset) => {
  expect(expected.length).toBeGreaterThan(50)
  expect(await foundAt(offset)).toEqual(expected)
})
