import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildAuditPackage } from '../../audit/package/build.ts'
import { folderOf } from '../../audit/src/testing/audit-files.ts'
import { type Ended, runToEnd } from '../../fixtures/package/testing/run-to-end.ts'
import { frozenRun } from '../reports/testing/frozen-run.ts'
import { main } from './testing/run-command.ts'

const root = join(import.meta.dirname, '../..')
/** Observations of a run about the mint's tokens. */
const format = { 'mint.tokenFormat': 'JWS', 'mint.tokenAlgorithm': 'RS256' }
const observations = { ...format, 'mint.tokenClaims': ['sub', 'exp'] }
const key = `ac_live_${'9fK2xQ7mB4tR8vW1zC6n'}`

/** A page that only says so, in bzip2. */
const packedPage = 'QlpoOTFBWSZTWSCMiMYAAAFRgAAQQAACANRKIAAxADAgBtRynRAd4u5IpwoSBBGRGMA='
const pages = Array.from(
  { length: 1001 },
  (_, at) => [`many/${at}.js`, `export const page = ${at}\n`] as const,
)
const made = await folderOf({
  'reader/page.js.bz2': Buffer.from(packedPage, 'base64'),
  'reader/leak.js': `export const key = ${JSON.stringify(key)}\n`,
  'reader/baseline.json': '{ "findings": [] }\n',
  'reader/acme.yaml':
    'name: acme\nbundle: { paths: [dist], mintHost: api.acme.example, key: { prefix: ac_live_, minLength: 18 } }\n',
  'reader/results.json': JSON.stringify({ ...frozenRun, observations }),
  ...Object.fromEntries(pages.map(([name, text]) => [`reader/${name}`, text])),
})
afterAll(() => made[Symbol.asyncDispose]())
const { folder } = made
const [unpacked, reader] = [join(folder, 'package'), join(folder, 'reader')]
let packed: { readonly size: number; readonly filename: string; readonly files: readonly { path: string }[] }
const alone = (args: readonly string[], before: readonly string[] = []) =>
  runToEnd(process.execPath, [...before, join(unpacked, 'lib/main.js'), ...args], { cwd: reader })
const within = (args: readonly string[]) =>
  runToEnd(process.execPath, [main, 'audit', ...args], { cwd: reader })
/** How long an audit took is all that differs between two of the same files. */
const timeless = ({ code, stdout, stderr }: Ended): Ended => ({
  code,
  stdout: stdout
    .replaceAll(/\d+ ms$/gm, 'MS')
    .replaceAll(/"durationMs": ?\d+/g, 'MS')
    .replaceAll(/ time="[\d.]+"/g, ''),
  stderr,
})

// Packed, and unpacked where no package is in reach, beside what is audited.
beforeAll(async () => {
  await buildAuditPackage(join(folder, 'built'))
  const [said] = await Promise.all([
    runToEnd('npm', ['pack', './built', '--json', '--ignore-scripts'], { cwd: folder }),
    cp(join(root, 'fixtures/bundles'), join(reader, 'bundles'), { recursive: true }),
    cp(join(root, 'audit/proof/samples'), join(reader, 'samples'), { recursive: true }),
  ])
  // npm 11 tells a list; from 12 on it is an object by the packages' names.
  const [one] = Object.values<typeof packed>(JSON.parse(said.stdout))
  if (one === undefined) throw new Error(`npm pack said nothing of a package: ${said.stderr}`)
  packed = one
  await runToEnd('tar', ['-xzf', packed.filename], { cwd: folder })
})

test('the package is below 2 MB, depends on nothing, and carries the licences of what is in it', async () => {
  expect(packed.size).toBeLessThan(2_000_000)
  const manifest = JSON.parse(await readFile(join(unpacked, 'package.json'), 'utf8'))
  const { version, engines, license } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'twotoken-audit', version, engines, license })
  expect(Object.keys(manifest).filter((name) => /dependencies|scripts/i.test(name))).toEqual([])
  const files = packed.files.map(({ path }) => path)
  expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'Dockerfile', 'lib/main.js']))
  expect(files.filter((file) => file.startsWith('node_modules'))).toEqual([])
  const licences = await readFile(join(unpacked, 'THIRD-PARTY-LICENSES.txt'), 'utf8')
  for (const name of ['commander', 'meriyah', 'yaml', 'zod'])
    expect(licences).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'))
})

describe('gives the results of twotoken audit byte for byte', () => {
  const samples = ['Canary.class', 'Info.plist', 'index.js', 'v96.hbc'].map((name) => `samples/${name}`)
  test.each([
    [1, ['bundles', 'samples', 'page.js.bz2']],
    [1, ['bundles', 'samples', '--format', 'json', '--strict']],
    [1, ['bundles', 'samples', '--format', 'sarif', '--config', 'acme.yaml']],
    [1, ['bundles', 'samples', '--format', 'junit', '--like', 'results.json']],
    [3, ['bundles/clean', 'bundles/unreadable', '--mint-host', 'api.acme.example']],
    [0, ['bundles/clean', '--baseline', 'baseline.json', '--allow-incomplete']],
    [3, ['--self-test', ...samples]],
  ])('exit code %i: %j', async (code, args) => {
    const [own, whole] = await Promise.all([alone(args), within(args)])
    expect(timeless(own)).toEqual(timeless(whole))
    expect(own).toMatchObject({ code, stderr: '' })
    expect(own.stdout.length).toBeGreaterThan(100)
  })

  test.each([
    '',
    'nowhere',
    'leak.js --format yaml',
    'leak.js --fromat json',
    'leak.js --config nowhere.yaml',
  ])('wrong usage: %s', async (line) => {
    const args = line.split(' ').filter(Boolean)
    const [own, whole] = await Promise.all([alone(args), within(args)])
    expect(own).toMatchObject({ code: 2, stdout: '' })
    expect(own).toEqual({ ...whole, stderr: whole.stderr.replace(/^twotoken: /, 'twotoken-audit: ') })
  })
})

/** The files that an audit loads, in all of its threads. */
async function loadedBy(args: readonly string[]) {
  const loads = pathToFileURL(join(folder, 'loads.txt'))
  const hook = join(folder, 'loads.mjs')
  await writeFile(
    hook,
    `import { registerHooks } from 'node:module'\nimport { appendFileSync } from 'node:fs'\n` +
      `registerHooks({ load: (url, context, next) => { appendFileSync(new URL('${loads}'), url + '\\n'); return next(url, context) } })\n`,
  )
  const { code, stdout } = await alone([...args, '--format', 'json'], ['--import', hook])
  const urls = (await readFile(loads, 'utf8')).trim().split('\n')
  const files = urls.filter((url) => url.startsWith('file:') && url !== pathToFileURL(hook).href)
  return { code, audited: JSON.parse(stdout).audited, files: [...new Set(files)] }
}

test('its threads and what it loads late are its own files', async () => {
  const { code, audited, files } = await loadedBy(['many', 'bundles', 'page.js.bz2'])
  expect(code).toBe(1)
  expect(audited[0]).toMatchObject({ path: 'many', entries: 1001 })
  expect(files.filter((url) => !url.startsWith(pathToFileURL(`${unpacked}/`).href))).toEqual([])
  const names = files.map((url) => url.slice(url.lastIndexOf('/') + 1))
  expect(names).toContain('script.worker.js')
})
