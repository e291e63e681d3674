import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fingerprintOf } from '../../../audit/src/model/finding.ts'
import { folderOf, key } from '../../../audit/src/testing/audit-files.ts'
import { frozenRun } from '../../reports/testing/frozen-run.ts'
import { openStreams } from '../testing/streams.ts'
import { type AuditOptions, audit, configuredAudit } from './audit.ts'

async function run(files: Readonly<Record<string, string | Buffer>>, options: Partial<AuditOptions> = {}) {
  await using made = await folderOf(files)
  const { written, ...streams } = openStreams()
  const asked = { paths: ['dist'], format: 'json', ...options }
  const code = await audit(asked, { directory: made.folder, ...streams })
  const out = options.out === undefined ? null : await readFile(join(made.folder, options.out), 'utf8')
  return { code, ...written, out }
}

const leak = { 'dist/a.js': `const k = "${key}"` }
const entry = { fingerprint: fingerprintOf(key), reason: 'revoked already', expires: '2999-01-01' }

const call = { 'dist/a.js': 'fetch("https://other.example/api/v1/calling/token")' }
const guard = { 'dist/a.js': "if (key.startsWith('ac_live_')) throw new Error('a server key')" }

test.each<[string, Readonly<Record<string, string | Buffer>>, Partial<AuditOptions>, number]>([
  ['a clean bundle', { 'dist/a.js': 'let a = 1' }, {}, 0],
  ['a leak', leak, {}, 1],
  ['a gap', { 'dist/a.gz': Buffer.from('1f8b08000000', 'hex') }, {}, 3],
  ['an empty bundle', { 'dist/a.js': '' }, {}, 3],
  ['a file of settings without a key', { 'dist/.env': 'A=1' }, { strict: true }, 0],
  ['a warning', call, {}, 0],
  ['a warning that counts', call, { strict: true }, 1],
  ['a call of the mint that is named', call, { mintHost: 'other.example' }, 1],
  ['a test of the prefix', guard, { strict: true }, 0],
])('%s: the exit code', async (_, files, options, code) => {
  expect((await run(files, options)).code).toBe(code)
})

test('a path that does not exist is wrong usage', async () => {
  await expect(run({}, { paths: ['nowhere'] })).rejects.toMatchObject({ code: 'usage' })
  await expect(run(leak, { format: 'yaml' })).rejects.toMatchObject({ code: 'usage' })
})

test('a written baseline is accepted as it was written, and keeps older entries', async () => {
  const other = `${key.slice(0, -4)}9zQ2`
  await using made = await folderOf({
    'dist/a.js': `const k = "${key}"`,
    'dist/b.js': `const k = "${other}"`,
    'dist/b.js.map': '{"version":3,"sources":["b.ts"],"mappings":""}',
    'old.json': JSON.stringify({ findings: [{ ...entry, rule: 'AUD-001' }] }),
  })
  const { written, ...streams } = openStreams()
  const auditHere = (options: Partial<AuditOptions>) =>
    audit({ paths: ['dist'], format: 'json', ...options }, { directory: made.folder, ...streams })
  const asked = { baseline: 'old.json', writeBaseline: 'new.json', reason: 'of tests', expires: '2998-01-01' }
  expect(await auditHere(asked)).toBe(0)
  const said = 'wrote new.json: 2 accepted findings, added ones until 2998-01-01\n'
  expect(written.stderr).toBe(said)
  const text = await readFile(join(made.folder, 'new.json'), 'utf8')
  expect(JSON.parse(text).findings).toEqual([
    { fingerprint: entry.fingerprint, rule: 'AUD-001', reason: 'revoked already', expires: '2999-01-01' },
    { fingerprint: fingerprintOf(other), rule: 'AUD-001', reason: 'of tests', expires: '2998-01-01' },
  ])
  expect(text).not.toContain(key)
  expect(await auditHere({ baseline: 'new.json' })).toBe(0)
  expect(written.stderr).toBe(said)
  expect(await auditHere({ baseline: 'old.json' })).toBe(1)
  await expect(auditHere({ writeBaseline: 'new.json', reason: 'why' })).rejects.toThrow('--expires DAY')
})

test('a baseline accepts a finding until its day, and is stale where it matches nothing', async () => {
  const baseline = (...findings: object[]) => ({ 'baseline.json': JSON.stringify({ findings }) })
  const options = { baseline: 'baseline.json' }
  expect((await run({ ...leak, ...baseline(entry) }, options)).code).toBe(0)
  expect((await run({ ...leak, ...baseline({ ...entry, expires: '2020-01-01' }) }, options)).code).toBe(1)
  const stale = await run({ 'dist/a.js': 'x', ...baseline(entry) }, options)
  expect(stale).toMatchObject({ code: 1, stderr: expect.stringContaining('matches nothing') })
})

test('--out leaves stdout empty', async () => {
  const { stdout, out, code } = await run(leak, { out: 'report.json' })
  expect(stdout).toBe('')
  expect(code).toBe(1)
  expect(JSON.parse(out ?? '')).toMatchObject({
    tool: { name: 'twotoken' },
    complete: true,
    audited: [{ path: 'dist', entries: 1, bytes: 51 }],
    findings: [{ rule: 'AUD-001', location: 'dist/a.js', offset: 11, length: 39 }],
    gaps: [],
  })
})

test('--report adds files in other formats, and stdout has the text', async () => {
  await using made = await folderOf(leak)
  const { written, ...streams } = openStreams()
  const report = [
    { format: 'sarif', file: 'a.sarif' },
    { format: 'junit', file: 'new/a.xml' },
  ]
  const code = await audit({ paths: ['dist'], report }, { directory: made.folder, ...streams })
  expect(code).toBe(1)
  expect(written.stdout).toMatch(/^error AUD-001/)
  expect(JSON.parse(await readFile(join(made.folder, 'a.sarif'), 'utf8')).runs[0].results[0].ruleId).toBe(
    'AUD-001',
  )
  expect(await readFile(join(made.folder, 'new/a.xml'), 'utf8')).toContain('<testsuite')
})

const jwt = (claims: object) =>
  `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'c2ln'.repeat(20)}`

test('knows the tokens of the mint in its other places, and by several examples or by a run', async () => {
  const claims = { sub: 'bob', project: 'p1', iat: 4_000_000_000, exp: 4_000_000_900 }
  const production = jwt({ iss: 'https://api.acme.example', ...claims })
  const session = jwt({ iss: 'https://shop.example', sub: 'alice', iat: 4_000_000_000, exp: 4_000_000_900 })
  const observations = {
    'mint.tokenFormat': 'JWS',
    'mint.tokenAlgorithm': 'RS256',
    'mint.tokenType': 'JWT',
    'mint.tokenIssuer': 'https://staging.example',
    'mint.tokenClaims': ['iss', ...Object.keys(claims)],
  }
  const files = {
    'dist/a.js': `const t = "${production}"`,
    'dist/b.js': `const t = "${session}"`,
    'results.json': JSON.stringify({ ...frozenRun, observations }),
    'blind.json': JSON.stringify({ ...frozenRun, observations: {} }),
  }
  const leaks = async (like: string | string[]) => {
    const { stdout } = await run(files, { like })
    const { findings } = JSON.parse(stdout) as { findings: { level: string; location: string }[] }
    return findings.filter(({ level }) => level === 'error').map(({ location }) => location)
  }
  expect(await leaks('results.json')).toEqual(['dist/a.js'])
  expect(await leaks(jwt({ iss: 'https://staging.example', ...claims }))).toEqual(['dist/a.js'])
  expect(await leaks(['results.json', session])).toEqual(['dist/a.js', 'dist/b.js'])
  await expect(leaks('blind.json')).rejects.toMatchObject({ code: 'usage' })
  await expect(leaks('nowhere.json')).rejects.toMatchObject({ code: 'usage' })
})

test('looks for keys of another shape, and shows no more of them', async () => {
  const secret = 'acme-sk-9fK2mPq7Rt4V'
  const files = { [`dist/${secret}.js`]: `const k = "acme-" + "sk-" + "9fK2mPq7Rt4V"; const l = "${secret}"` }
  expect((await run(files)).code).toBe(0)
  const { code, stdout } = await run(files, { keyPrefix: 'acme-sk-', keyMinLength: 12 })
  expect(code).toBe(1)
  expect(stdout).toContain('acme-sk-… (20 characters)')
  expect(stdout).not.toContain('9fK2mP')
  const pieces = { 'dist/a.js': 'const k = "acme-" + "sk-" + "9fK2mPq7Rt4Vw8Xy"' }
  expect((await run(pieces, { keyPrefix: 'acme-sk-' })).code).toBe(1)
})

test('takes the shape of keys and the host of the mint from a configuration', async () => {
  await using made = await folderOf({
    'twotoken.yaml':
      'bundle: { paths: [dist], mintHost: api.acme.example, key: { prefix: acme-sk-, minLength: 12 } }',
  })
  expect(await configuredAudit('twotoken.yaml', { directory: made.folder, variables: {} })).toEqual({
    mintHost: 'api.acme.example',
    keyPrefix: 'acme-sk-',
    keyMinLength: 12,
  })
  expect(await configuredAudit(undefined, { directory: made.folder, variables: {} })).toEqual({})
})

test('shows no progress without a terminal, to programs, in CI, and where it is not wanted', async () => {
  await using made = await folderOf({ 'dist/a.bin': Buffer.alloc(3_000_000), 'dist/b.bin': 'b' })
  const drawn = async (options: Partial<AuditOptions>, isTTY = true, variables = {}) => {
    const times = [0, 9000, 18_000, 27_000]
    const now = vi.spyOn(performance, 'now').mockImplementation(() => times.shift() ?? 36_000)
    let stderr = ''
    const screen = { isTTY, columns: 80, write: (text: string) => (stderr += text) }
    const output = { stdout: { write() {} }, stderr: screen }
    await audit({ paths: ['dist'], ...options }, { directory: made.folder, variables, ...output })
    now.mockRestore()
    return stderr
  }
  expect(await drawn({})).toContain('auditing ')
  expect(await drawn({ format: 'json', out: 'a.json' })).toContain('auditing ')
  expect(await drawn({}, false)).toBe('')
  expect(await drawn({ format: 'json' })).toBe('')
  expect(await drawn({ quiet: true })).toBe('')
  expect(await drawn({}, true, { CI: 'true' })).toBe('')
})

test('data have the line and the column of a finding, and no format shows the text around it', async () => {
  const around = 'const endpoint = { apiKey: "'
  const files = { 'dist/a.js': `${around}${key}" }` }
  const column = around.length + 1
  expect(JSON.parse((await run(files)).stdout).findings[0]).toMatchObject({ line: 1, column })
  const sarif = JSON.parse((await run(files, { format: 'sarif' })).stdout)
  expect(sarif.runs[0].results[0].locations[0].physicalLocation.region).toEqual({
    startLine: 1,
    startColumn: column,
  })
  for (const format of ['text', 'json', 'sarif', 'junit', 'html'])
    expect((await run(files, { format })).stdout).not.toContain('endpoint =')
})
