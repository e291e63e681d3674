import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf, key } from '../../../audit/src/testing/audit-files.ts'
import { audit } from './audit.ts'
import { auditFleet, type FleetOptions } from './audit-fleet.ts'
import { readFleet } from './fleet-results.ts'

const other = key.replace(/.{6}$/, (end) => [...end].toReversed().join(''))
/** Fifty bundles: every tenth has a key, and every twentieth the same one. */
const bundles = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [
    `b/${index}/app.js`,
    index % 10 === 0 ? `const k = "${index % 20 === 0 ? key : other}"` : `export const page = ${index}`,
  ]),
)
const list = Array.from({ length: 50 }, (_, index) => `b/${index}\n`).join('')

type Options = Omit<FleetOptions, 'list'> & { readonly list?: string }

function fleetIn(directory: string) {
  return async (options: Options = {}) => {
    let [stdout, stderr] = ['', '']
    const code = await auditFleet(
      { list, ...options },
      {
        directory,
        stdout: { write: (text) => (stdout += text) },
        stderr: { write: (text) => (stderr += text) },
      },
    )
    return { code, stdout, stderr }
  }
}

/** The lines in the order of their paths, without how long each took. */
const linesOf = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => line.replace(/"durationMs":\d+/, ''))
    .toSorted()

test('an output that cannot be written is one sentence, and its folder is made', async () => {
  await using made = await folderOf({ 'a.js': 'x = 1' })
  const fleet = fleetIn(made.folder)
  await fleet({ list: 'a.js\n', out: 'new/folder/out.ndjson' })
  expect(await readFile(join(made.folder, 'new/folder/out.ndjson'), 'utf8')).toContain('a.js')
  await expect(fleet({ list: 'a.js\n', out: '/dev/full' })).rejects.toMatchObject({ code: 'unwritable' })
})

test('a shard without a share of the list writes an output without lines', async () => {
  await using made = await folderOf(bundles)
  const fleet = fleetIn(made.folder)
  const texts = ['1/2', '2/2'].map(async (shard) => {
    const out = `${shard.slice(0, 1)}.ndjson`
    await fleet({ list: 'b/1\n', out, shard })
    return await readFile(join(made.folder, out), 'utf8')
  })
  expect((await Promise.all(texts)).toSorted()).toEqual(['', expect.stringContaining('b/1')])
})

test('two shards give the lines and the report of one process, with each secret once', async () => {
  await using made = await folderOf(bundles)
  const fleet = fleetIn(made.folder)
  const whole = await fleet({ out: 'whole.ndjson', jobs: 1 })
  const shards = [
    await fleet({ out: '1.ndjson', shard: '1/2' }),
    await fleet({ out: '2.ndjson', shard: '2/2' }),
  ]
  expect(whole).toEqual({ code: 1, stdout: '', stderr: 'audited 50 paths, 0 were already in the output\n' })
  expect(Math.max(...shards.map(({ code }) => code))).toBe(1)
  const [all = '', ...parts] = await Promise.all(
    ['whole', '1', '2'].map((name) => readFile(join(made.folder, `${name}.ndjson`), 'utf8')),
  )
  for (const part of parts) expect(linesOf(part).length).toBeGreaterThan(9)
  expect(linesOf(parts.join(''))).toEqual(linesOf(all))
  expect(all).not.toContain(key)

  const merged = async (...names: string[]) =>
    JSON.stringify(await readFleet(names, made.folder)).replaceAll(/"durationMs":\d+/g, '')
  expect(await merged('2.ndjson', '1.ndjson')).toBe(await merged('whole.ndjson'))
  const { findings, audited } = await readFleet(['whole.ndjson'], made.folder)
  expect(audited).toHaveLength(50)
  expect(findings.map(({ location, also }) => [location, also?.length])).toEqual([
    ['b/0/app.js', 2],
    ['b/10/app.js', 1],
  ])
  let stdout = ''
  const toStdout = {
    directory: made.folder,
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: () => true },
  }
  expect(await audit({ paths: ['1.ndjson', '2.ndjson'], merge: true }, toStdout)).toBe(1)
  expect(stdout).toMatch(/b\/0\/app\.js .*, also in 2 other places/)
  expect(stdout).toContain('2 errors, 0 warnings, 0 notes, 0 gaps')
})

test('continues where an audit was ended, and audits again only what has changed', async () => {
  await using made = await folderOf(bundles)
  const fleet = fleetIn(made.folder)
  const out = 'results.ndjson'
  const file = join(made.folder, out)
  await fleet({ out, list: list.slice(0, list.indexOf('b/20')) })
  const before = await readFile(file, 'utf8')
  await appendFile(file, '{"digest":"4f')
  const next = await fleet({ out })
  expect(next).toMatchObject({ code: 1, stderr: 'audited 30 paths, 20 were already in the output\n' })
  expect((await readFile(file, 'utf8')).startsWith(before)).toBe(true)
  await writeFile(join(made.folder, 'b/3/app.js'), `const k = "${key}"`)
  expect((await fleet({ out })).stderr).toBe('audited 1 paths, 49 were already in the output\n')
  const { findings, audited } = await readFleet([out], made.folder)
  expect(audited).toHaveLength(50)
  expect(findings[0]?.also).toHaveLength(3)
  // Other options may find something else.
  expect((await fleet({ out, mintHost: 'api.acme.example' })).stderr).toContain('audited 50 paths')
})

test('the worst path gives the exit code, and one that does not exist is a gap', async () => {
  await using made = await folderOf({ 'clean.js': 'let a = 1', 'leak.js': `const k = "${key}"` })
  const fleet = fleetIn(made.folder)
  expect((await fleet({ list: 'clean.js\r\n' })).code).toBe(0)
  const gone = await fleet({ list: 'nowhere\nclean.js\nclean.js' })
  expect(gone.code).toBe(3)
  expect(linesOf(gone.stdout)).toHaveLength(2)
  expect(gone.stdout).toContain('"location":"nowhere","reason":"does not exist')
  expect((await fleet({ list: 'leak.js\nnowhere\nclean.js' })).code).toBe(1)
  await expect(fleet({ list: '\n' })).rejects.toMatchObject({ code: 'usage' })
  await expect(fleet({ shard: '3/2' })).rejects.toMatchObject({ code: 'usage' })
})

test('a file that --list has not written is neither continued nor merged', async () => {
  await using made = await folderOf({
    'clean.js': 'let a = 1',
    'notes.txt': 'mine',
    'report.json': '{ "a": 1 }\n',
  })
  for (const out of ['notes.txt', 'report.json']) {
    await expect(fleetIn(made.folder)({ list: 'clean.js', out })).rejects.toMatchObject({ code: 'usage' })
    await expect(readFleet([out], made.folder)).rejects.toMatchObject({ code: 'usage' })
  }
  expect(await readFile(join(made.folder, 'notes.txt'), 'utf8')).toBe('mine')
})
