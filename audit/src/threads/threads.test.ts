import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditPaths } from '../engine/audit.ts'
import { key } from '../testing/audit-files.ts'
import { claim, countOpen, createClaims } from './claims.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'twotoken-threads-'))
  const filler = Buffer.alloc(1_000_000, 'some bytes \0')
  await mkdir(join(folder, 'parts'))
  for (let index = 0; index < 60; index++) {
    const name = `parts/${String(index).padStart(2, '0')}`
    await writeFile(join(folder, `${name}.bin`), Buffer.concat([filler, Buffer.from(`\0${key}\0${index}`)]))
    await writeFile(join(folder, `${name}.gz`), gzipSync(Buffer.from(`${index} ${key}`)))
    await writeFile(join(folder, `${name}.js`), `use("ac_" + ${JSON.stringify(key.slice(3))})`)
  }
  await writeFile(join(folder, 'parts/zz.zip'), 'PK\x03\x04 cut off')
})
afterAll(() => rm(folder, { recursive: true }))

test('two threads report what one reports', async () => {
  const names = (await readdir(join(folder, 'parts'))).map((name) => join(folder, 'parts', name))
  const whole = await auditPaths([folder], '/')
  expect(whole.findings).toHaveLength(180)
  expect(whole.gaps).toHaveLength(1)
  // One path after the other: of a single file, one thread reads all.
  const alone = await auditPaths(names, '/')
  expect(whole.findings).toEqual(alone.findings)
  expect(alone.gaps).toEqual(whole.gaps)
  const sum = alone.audited.reduce((total, { bytes }) => total + bytes, 0)
  expect(whole.audited.map(({ entries, bytes }) => [entries, bytes])).toEqual([[180, sum]])
})

test('a file is read by one of two', () => {
  const claims = createClaims(3)
  expect([claim(claims, 0), claim(claims, 0), claim(claims, 2)]).toEqual([true, false, true])
  expect(countOpen(claims)).toBe(1)
})
