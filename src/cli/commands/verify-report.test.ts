import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRedactor } from '../../base/evidence/redact.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { RunResults } from '../../reports/results.ts'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import { writeRun } from '../../run/write-artefacts.ts'
import { verifyReport } from './verify-report.ts'

async function verified(change: (text: string) => string, run: RunResults = frozenRun) {
  await using folder = await openTempFolder()
  await writeRun(folder.path, run, createRedactor())
  const file = join(folder.path, 'results.json')
  await writeFile(file, change(await readFile(file, 'utf8')))
  let said = ''
  const code = await verifyReport(
    { file },
    { stdout: { write: (text) => (said += text) }, stderr: { write: () => true } },
  )
  return { code, said: said.replaceAll(file, 'FILE') }
}

test('results as they were written are whole, in any order and indentation', async () => {
  const { code, said } = await verified((text) => text)
  expect(code).toBe(0)
  expect(said).toMatch(/^FILE is whole and unchanged since it was written\n/)
  expect(said).toContain(`seed ${frozenRun.seed}`)
  const reversed = (text: string) =>
    JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).toReversed()))
  expect((await verified(reversed)).code).toBe(0)
})

test('lists the configuration, the shard and the files that were judged', async () => {
  const { said } = await verified((text) => text, {
    ...frozenRun,
    config: 'staging.yaml',
    configDigest: 'c'.repeat(64),
    shard: { index: 2, count: 4, ids: [] },
    subjects: [{ name: 'dist/app.js', sha256: 'd'.repeat(64) }],
  })
  expect(said).toContain(`staging.yaml, SHA-256 ${'c'.repeat(64)}\n  only shard 2/4\n`)
  expect(said).toContain(`judged dist/app.js, SHA-256 ${'d'.repeat(64)}\n`)
})

test.each<[string, RegExp, string]>([
  ['a sentence', /no token/, 'a token'],
  ['the seed', /"seed": \d+/, '"seed": 7'],
  ['the time', /"startedAt": "\d{4}/, '"startedAt": "2020'],
  ['a field of a later version', /^\{/, '{ "later": 1,'],
])('%s that was changed is found', async (_, what, by) => {
  const { code, said } = await verified((text) => text.replace(what, by))
  expect(said).toMatch(/^FILE was changed after it was written: .*expected [0-9a-f]{64}/)
  expect(code).toBe(1)
})

test('results without a digest are not verified', async () => {
  const { code, said } = await verified((text) => text.replace(/,\n {2}"digest": "[0-9a-f]+"/, ''))
  expect(said).toContain('has no digest')
  expect(code).toBe(3)
})

test.each([
  ['truncated', (text: string) => text.slice(0, -100), 'is truncated JSON'],
  [
    'given another outcome',
    (text: string) => text.replace('"nonconformant"', '"conformant"'),
    'inconsistent',
  ],
])('a file that was %s is refused', async (_, change, why) => {
  await expect(verified(change)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(why),
  })
})
