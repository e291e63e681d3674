import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCanaries } from '../../../audit/src/self-test/canary.ts'
import { listFiles } from '../../../audit/src/self-test/list-files.ts'
import { plantCanaries } from '../../../audit/src/self-test/plant-canaries.ts'
import { renderSelfTestText } from '../../../audit/src/self-test/report.ts'
import { folderOf } from '../../../audit/src/testing/audit-files.ts'
import { buildZip } from '../../../audit/src/testing/build-zip.ts'
import { main } from '../program.ts'
import { exitCode } from './audit-self-test.ts'

/** Runs the command as a user would. @returns its exit code, its output, and the files that are there afterwards */
async function run(files: Record<string, string | Buffer>, ...options: string[]) {
  await using made = await folderOf(files)
  const written: string[] = []
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = ((text: string) => written.push(text) > 0) as typeof process.stdout.write
  try {
    const code = await main(['audit', '--self-test', ...options, join(made.folder, 'dist')])
    return { code, stdout: written.join(''), left: (await readdir(made.folder, { recursive: true })).sort() }
  } finally {
    process.stdout.write = write
  }
}

const clean = {
  'dist/a.js': 'export const answer = 42\n',
  'dist/a.zip': buildZip([{ name: 'b.json', bytes: Buffer.from('{"a":1}') }]),
}

test('says of each format in each container that its canaries are found, and writes nothing', async () => {
  const { code, stdout, left } = await run(clean)
  expect(stdout).toContain('javascript, in no container: 22 of 22 found')
  expect(stdout).toContain('json, in zip, deflated: 13 of 13 found')
  expect(code).toBe(0)
  expect(left).toEqual(['dist', 'dist/a.js', 'dist/a.zip'])
})

test('gives the same as data', async () => {
  const { stdout } = await run(clean, '--format', 'json')
  const { selfTest } = JSON.parse(stdout) as {
    selfTest: { planted: number; found: number; cells: unknown[] }
  }
  expect(selfTest).toMatchObject({ planted: 35, found: 35, missed: 0, unplanted: 0 })
  expect(selfTest.cells).toContainEqual(
    expect.objectContaining({
      format: 'json',
      slot: 'value',
      encoding: 'plain',
      container: ['zip, deflated'],
      status: 'found',
    }),
  )
  expect(stdout).not.toMatch(/ac_live_\w/)
})

test('a canary that is missed makes the exit code 1, and is named', async () => {
  await using made = await folderOf(clean)
  // The audit looks for keys of another prefix than those that are planted.
  const files = await listFiles(['dist'], made.folder)
  const cells = await plantCanaries(
    files,
    { prefix: 'zz_other_' },
    { nextCanary: createCanaries('ac_live_') },
  )
  expect(exitCode(cells)).toBe(1)
  const text = renderSelfTestText({ cells })
  expect(text).toContain('MISSED  javascript, in no container: 0 of 22 found')
  expect(text).toContain('missed: javascript concatenation (plain) in dist/a.js')
})

test('one that cannot be planted makes it 3, and so does an empty folder', async () => {
  const elf = Buffer.alloc(200)
  elf.write('\x7fELF\x02\x01', 'latin1')
  const { code, stdout } = await run({ ...clean, 'dist/l.so': elf })
  expect(stdout).toMatch(/^not planted: .*l\.so: it has no \.rodata section$/m)
  expect(code).toBe(3)
  expect((await run({ 'dist/empty.txt': '' })).code).toBe(3)
})

test('a path that does not exist, and another format, are wrong usage', async () => {
  expect(await main(['audit', '--self-test', '/nowhere/at/all'])).toBe(2)
  expect((await run(clean, '--format', 'sarif')).code).toBe(2)
})
