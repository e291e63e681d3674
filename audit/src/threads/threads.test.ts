import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditPaths } from '../engine/audit.ts'
import type { AuditSettings } from '../model/settings.ts'
import { createTurns } from '../model/turns.ts'
import { key } from '../testing/audit-files.ts'
import { claimsIn, createClaims } from './claims.ts'
import { startSecondThread } from './second-thread.ts'

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

const audited = async (settings: AuditSettings = {}) => {
  const { findings, gaps, audited: paths } = await auditPaths([folder], '/', settings)
  return { findings, gaps, paths: paths.map(({ path, entries, bytes }) => ({ path, entries, bytes })) }
}

test('two threads report what one reports', async () => {
  // A clock cannot be handed over: then one thread reads all.
  const alone = await audited({ nowSeconds: () => 1_800_000_000 })
  expect(alone.findings).toHaveLength(180)
  expect(alone.gaps).toHaveLength(1)
  expect(await audited()).toEqual(alone)
})

test('the second thread reads files and containers, and leaves larger ones and what takes much memory', async () => {
  const names = ['00.bin', '00.gz', '00.js', 'zz.zip', 'large.js', 'plain.js', 'larger.bin']
  const script = `use("ac_" + "live_");${' '.repeat(1_100_000)}`
  await writeFile(join(folder, 'parts/large.js'), script)
  await writeFile(join(folder, 'parts/plain.js'), script.replace('live_', 'room'))
  await writeFile(join(folder, 'parts/larger.bin'), Buffer.alloc(17_000_000))
  const files = names.map((name) => {
    const path = join(folder, 'parts', name)
    return { path, location: path, name }
  })
  const claims = createClaims(files)
  claims.takeFirst(2)
  await using second = startSecondThread({
    files,
    claims: claims.shared,
    turns: createTurns(),
    settings: {},
  })
  const found = await second.found()
  expect(found?.findings.map(({ location }) => location).sort()).toEqual(
    ['00.bin', '00.gz!00'].map((name) => join(folder, 'parts', name)),
  )
  expect(found?.gaps).toHaveLength(1)
  expect([claims.takeLeft(), claims.takeLeft(), claims.takeLeft()]).toEqual([6, 4, null])
  expect(claims.ofSecond()).toEqual([0, 1, 3, 5])
})

test('a second thread that fails gives no answer, and what it has taken is known', async () => {
  const claims = createClaims([])
  const files = [null, null] as never
  await using second = startSecondThread({ files, claims: claims.shared, turns: createTurns(), settings: {} })
  expect(await second.found()).toBeNull()
})

test('a file is read by one of two', () => {
  const claims = claimsIn(new Int32Array(new SharedArrayBuffer(20)))
  expect([claims.takeFirst(0), claims.takeSecond(0), claims.takeSecond(1), claims.takeFirst(1)]).toEqual([
    true,
    false,
    true,
    false,
  ])
})
