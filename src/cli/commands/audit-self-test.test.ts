import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { createCanaries } from '../../../audit/src/self-test/canary.ts'
import { renderSelfTestText } from '../../../audit/src/self-test/report.ts'
import { selfTest } from '../../../audit/src/self-test/self-test.ts'
import { folderOf } from '../../../audit/src/testing/audit-files.ts'
import { buildZip } from '../../../audit/src/testing/build-archives.ts'
import { runCommand } from '../testing/run-command.ts'
import { exitCode } from './audit-self-test.ts'

/** Runs the command as a user would. @returns its exit code, its output, and the files that are there afterwards */
async function run(files: Record<string, string | Buffer>, ...options: string[]) {
  await using made = await folderOf(files)
  const ended = await runCommand(['audit', '--self-test', ...options, 'dist'], made.folder)
  return { ...ended, left: (await readdir(made.folder, { recursive: true })).sort() }
}

/** Longer than a key in any of its encodings. */
const line = `"${'a word and another one '.repeat(5)}",\n`

const clean = {
  'dist/a.js': `export const answers = [\n${line.repeat(3)}]\n`,
  'dist/a.zip': buildZip([{ name: 'b.json', bytes: Buffer.from(`{\n${line.repeat(3)}}`) }]),
}

test('says of each format that its canaries are found, in containers too, and writes nothing', async () => {
  const { code, stdout, left } = await run(clean)
  expect(stdout).toContain('javascript: 3 of 3 found')
  expect(stdout).toContain('json: 3 of 3 found')
  expect(code).toBe(0)
  expect(left).toEqual(['dist', 'dist/a.js', 'dist/a.zip'])
})

test('gives the same as data', async () => {
  const { stdout } = await run(clean, '--format', 'json')
  const { selfTest } = JSON.parse(stdout)
  expect(selfTest).toMatchObject({ planted: 6, found: 6, missed: 0, unplanted: 0 })
  expect(selfTest.cells).toContainEqual(
    expect.objectContaining({
      format: 'json',
      encoding: 'plain',
      location: expect.stringMatching(/a\.zip!b\.json$/),
      status: 'found',
    }),
  )
  expect(stdout).not.toMatch(/ac_live_\w/)
})

test('a canary that is missed makes the exit code 1, and is named', async () => {
  await using made = await folderOf(clean)
  // The audit looks for keys of another prefix than those that are planted.
  const { cells } = await selfTest(['dist'], made.folder, { prefix: 'zz_other_' }, createCanaries('ac_live_'))
  expect(exitCode(cells)).toBe(1)
  const text = renderSelfTestText({ cells })
  expect(text).toContain('MISSED  javascript: 0 of 3 found')
  expect(text).toContain('missed: javascript (plain) in dist/a.js')
})

test('one that cannot be planted makes it 3, and so does an empty folder', async () => {
  const elf = Buffer.alloc(200)
  elf.write('\x7fELF\x02\x01', 'latin1')
  const { code, stdout } = await run({ ...clean, 'dist/l.so': elf })
  expect(stdout).toMatch(/^not planted: elf \(plain\) in .*l\.so: it contains no string that is long enough/m)
  expect(code).toBe(3)
  expect((await run({ 'dist/empty.txt': '' })).code).toBe(3)
})
