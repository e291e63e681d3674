import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fingerprintOf } from '../audit/fingerprint.ts'
import { folderOf, key } from '../audit/testing/audit-files.ts'
import { type AuditOptions, audit } from './audit.ts'

async function run(files: Readonly<Record<string, string | Buffer>>, options: Partial<AuditOptions> = {}) {
  await using made = await folderOf(files)
  let stdout = ''
  let stderr = ''
  const code = await audit(
    { paths: ['dist'], format: 'json', ...options },
    {
      directory: made.folder,
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    },
  )
  const out = options.out === undefined ? null : await readFile(join(made.folder, options.out), 'utf8')
  return { code, stdout, stderr, out }
}

const leak = { 'dist/a.js': `const k = "${key}"` }
const entry = { fingerprint: fingerprintOf(key), reason: 'revoked already', expires: '2999-01-01' }

test('gives 0 for a clean bundle, 1 for a leak, 3 for a gap', async () => {
  expect((await run({ 'dist/a.js': 'let a = 1' })).code).toBe(0)
  expect((await run(leak)).code).toBe(1)
  expect((await run({ 'dist/a.gz': Buffer.from('1f8b08000000', 'hex') })).code).toBe(3)
  expect((await run({ 'dist/a.js': '' })).code).toBe(3)
  expect((await run({ 'dist/.env': 'A=1' }, { strict: true })).code).toBe(0)
})

test('a path that does not exist is wrong usage', async () => {
  await expect(run({}, { paths: ['nowhere'] })).rejects.toMatchObject({ code: 'usage' })
  await expect(run(leak, { format: 'yaml' })).rejects.toMatchObject({ code: 'usage' })
})

test('a warning counts with --strict', async () => {
  const files = { 'dist/a.js': 'fetch("https://other.example/api/v1/calling/token")' }
  expect((await run(files)).code).toBe(0)
  expect((await run(files, { strict: true })).code).toBe(1)
  expect((await run(files, { mintHost: 'other.example' })).code).toBe(1)
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

test('tells the mint from the customer’s own route', async () => {
  const { stdout } = await run(
    {
      'dist/a.js':
        'fetch("https://api.acme.example/api/v1/calling/token"); fetch("/calling/token"); fetch("/api/v1/calling/tokens")',
      'dist/b.js': 'const base = "https://api.acme.example"; fetch(base + "/api/v1/calling/token")',
      'dist/c.js': `fetch(\`$\{base}/api/v1/calling/token\`)`,
      'dist/d.js': 'fetch("/api/v1/calling/token")',
    },
    { mintHost: 'api.acme.example' },
  )
  const { findings } = JSON.parse(stdout) as { findings: { location: string; level: string }[] }
  const levels = (file: string) =>
    findings.filter(({ location }) => location === `dist/${file}`).map(({ level }) => level)
  expect(levels('a.js')).toEqual(['error'])
  expect(levels('b.js')).toContain('error')
  expect(levels('c.js')).toEqual(['warning'])
  expect(levels('d.js')).toEqual(['note'])
})

const jwt = (claims: object) =>
  `${Buffer.from('{"alg":"RS256","typ":"JWT"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'c2ln'.repeat(20)}`

test('tells a calling JWT from others', async () => {
  const short = jwt({ sub: 'alice', iat: 4_000_000_000, exp: 4_000_000_900 })
  const long = jwt({ iss: 'data', role: 'anon', iat: 1_600_000_000, exp: 4_000_000_000 })
  const old = jwt({ userId: 'alice', iat: 1_600_000_000, exp: 1_600_000_900 })
  const levelOf = async (token: string, like?: string) => {
    const { stdout } = await run({ 'dist/a.js': `const t = "${token}"` }, like === undefined ? {} : { like })
    expect(stdout).not.toContain(token.slice(4, 40))
    return (JSON.parse(stdout) as { findings: { level: string }[] }).findings.map(({ level }) => level)
  }
  expect(await levelOf(short)).toEqual(['error'])
  expect(await levelOf(long)).toEqual(['note'])
  expect(await levelOf(old)).toEqual(['warning'])
  expect(await levelOf(short, long)).toEqual(['note'])
  expect(await levelOf(long, long)).toEqual(['error'])
})
