import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fingerprintOf } from '../model/finding.ts'
import { auditFiles, key } from '../testing/audit-files.ts'

const bytes = Buffer.from(key)
const each = (write: (code: number) => string) => [...bytes].map(write).join('')
const hex = (code: number) => code.toString(16).padStart(2, '0')
const base64 = (before: string) => `"${Buffer.from(`${before}${key}`).toString('base64')}"`

const amid = (text: string) =>
  Buffer.concat([Buffer.from([0, 1, 0xfe, 0]), Buffer.from(`${text}\0`), Buffer.alloc(5001, 0xf3)])

/** With four bytes a character. */
const widest = (text: string, order: 'little' | 'big' = 'little') => {
  const wide = Buffer.alloc(text.length * 4)
  for (const [at, char] of [...text].entries()) wide.writeUInt32LE(char.charCodeAt(0), at * 4)
  return order === 'little' ? wide : wide.swap32()
}

const planted: Record<string, [rule: string, content: string | Buffer, name?: string]> = {
  'UTF-8': ['AUD-001', `k = "${key}"`],
  'UTF-16LE': ['AUD-001', Buffer.concat([Buffer.from([1]), Buffer.from(key, 'utf16le'), Buffer.alloc(2)])],
  'UTF-16BE': ['AUD-001', Buffer.concat([Buffer.from(key, 'utf16le').swap16(), Buffer.alloc(2)])],
  'UTF-32LE': ['AUD-001', widest(`\ufeffkey = ${key}\n`)],
  'UTF-32BE': ['AUD-001', widest(`key = ${key}\n`, 'big')],
  'wide characters behind UTF-16': [
    'AUD-001',
    Buffer.concat([Buffer.from('\0name\0', 'utf16le'), widest(`${key}\0`)]),
  ],
  'a line of a properties file that goes on in the next': [
    'AUD-006',
    `calls.key=${key.slice(0, 14)}\\\n    ${key.slice(14)}\nx=1\n`,
    'app.properties',
  ],
  'a line of YAML that goes on in the next': [
    'AUD-006',
    `key: "${key.slice(0, 14)}\\\r\n  ${key.slice(14)}"\r\n`,
    'app.yml',
  ],
  'a key before a line that sets another variable': [
    'AUD-001',
    `ENV KEY=${key}\\\n    STAGE=live\n`,
    'Dockerfile',
  ],
  'UTF-16LE, percent': ['AUD-006', Buffer.from(`\0\0${each((code) => `%${hex(code)}`)}`, 'utf16le')],
  'a UTF-16 file, one character escaped': [
    'AUD-006',
    Buffer.from(`\ufeff"a" = "${key.replace('_', '\\u005f')}";`, 'utf16le'),
    'a.strings',
  ],
  'a UTF-16 script, concatenated': [
    'AUD-005',
    Buffer.from(`\ufeffuse("ac_" + "live_" + "${key.slice(8)}")`, 'utf16le').swap16(),
    'a.js',
  ],
  'base64, further in': ['AUD-006', base64('user:password:')],
  '\\x escapes': ['AUD-006', `"${each((code) => `\\x${hex(code)}`)}"`],
  'one escaped character': ['AUD-006', JSON.stringify(key).replace('_', '\\u005f')],
  'one escaped character amid other bytes': ['AUD-006', amid(key.replace('i', '\\u0069'))],
  'one escaped character behind the prefix, amid other bytes': [
    'AUD-006',
    amid(`"${key.replace('9', '\\x39')}"`),
  ],
  'one entity amid other bytes': ['AUD-006', amid(key.replace('_', '&#x5f;'))],
  entities: ['AUD-006', `<a b="${each((code) => `&#${code};`)}">`],
  reversed: ['AUD-005', `"${[...key].reverse().join('')}"`],
  XOR: ['AUD-007', Buffer.from([0, 1, 2, ...bytes, 0].map((byte) => byte ^ 0x5a))],
  'a script in an SVG image': [
    'AUD-005',
    `<?xml version="1.0"?><svg><script><![CDATA[use("ac_" + "live_" + "${key.slice(8)}")]]></script></svg>`,
    'a.svg',
  ],
  'a module of an indexed bundle': [
    'AUD-005',
    Buffer.concat([
      Buffer.from('e5d10bfb01000000100000000000000010000000', 'hex'),
      Buffer.from(`__d(function(){},1)\0__d(function(){use("ac_" + "live_" + "${key.slice(8)}")},2)\0`),
    ]),
    'index.android.bundle',
  ],
  'inline script': ['AUD-005', `<html><script>use("ac_" + "live_" + "${key.slice(8)}")</script>`, 'a.html'],
}

test.each(Object.entries(planted))('finds a key in %s', async (_, [rule, content, name = 'a.bin']) => {
  const result = await auditFiles({ [name]: content })
  const found = result.findings.find((finding) => finding.rule === rule && finding.length === key.length)
  expect(found, JSON.stringify(result.findings)).toMatchObject({
    level: rule === 'AUD-007' ? 'warning' : 'error',
    location: `dist/${name}`,
    length: key.length,
    fingerprint: fingerprintOf(key),
    shown: expect.stringMatching(`^(?:[\\w.]+: )?ac_live_… \\(${key.length} characters\\)$`),
  })
  expect(JSON.stringify(result)).not.toContain(key.slice(8, 14))
})

type Encode = (secret: string) => string

const base64Of = (secret: string | Buffer) => Buffer.from(secret as string).toString('base64')
const hexOf = (secret: string) => Buffer.from(secret).toString('hex')
const unicode: Encode = (secret) => hexOf(secret).replace(/../g, '\\u00$&')
/** Encodings around each other, and those that lists of numbers and lines are written in. */
const rows: Readonly<Record<string, Encode>> = {
  'base64 in lines': (secret) =>
    base64Of(`some words before it, and then ${secret} and some behind it, too`).replace(/.{76}/g, '$&\n'),
  'base64url without padding': (secret) => Buffer.from(`??>>${secret}`).toString('base64url'),
  'base64 of base64': (secret) => base64Of(base64Of(secret)),
  'base64 of other text around base64': (secret) => base64Of(`{"k":"${base64Of(secret)}"}`),
  'base64 of hex': (secret) => base64Of(`a=${hexOf(secret)}`),
  'hex of base64': (secret) => hexOf(base64Of(`xy${secret}`)),
  'escapes of base64': (secret) => unicode(base64Of(`x${secret}`)),
  'percent of base64': (secret) => hexOf(base64Of(secret)).replace(/../g, '%$&'),
  'base64 of UTF-16': (secret) => base64Of(Buffer.from(`$k = "${secret}"`, 'utf16le')),
  'numbers of 8 bits': (secret) => `[${[...Buffer.from(secret)]}]`,
  'numbers in lines': (secret) => `[${[...Buffer.from(secret)].join(', ').replace(/(.{60} )/g, '$1\n  ')}]`,
  'hex with 0x and commas': (secret) =>
    [...Buffer.from(secret)].map((code) => `0x${code.toString(16)}`).join(', '),
  'base64 of gzip': (secret) => base64Of(gzipSync(`{"k":"${secret}"}`)),
  'base64 of base64 of gzip': (secret) => base64Of(base64Of(gzipSync(`{"k":"${secret}"}`))),
}

const homes: Readonly<Record<string, (value: string) => string | Buffer>> = {
  'a.js': (value) =>
    `const k=${value.startsWith('[') ? value : JSON.stringify(value).replaceAll('\\\\u', '\\u')};use(k)`,
  'a.properties': (value) => `name = app\nvalue = ${value}\n`,
  'a.bin': (value) => amid(value),
}

describe.each(Object.keys(homes))('in %s', (name) => {
  test.each(Object.entries(rows))('finds a key in %s', async (_, encode) => {
    const { findings } = await auditFiles({ [name]: homes[name]?.(encode(key)) ?? '' })
    expect(findings).toMatchObject([{ level: 'error', fingerprint: fingerprintOf(key) }])
    expect(JSON.stringify(findings)).not.toContain(key.slice(8, 14))
  })
})

const now = Math.floor(Date.now() / 1000)
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const jwt = [
  part({ alg: 'HS256', typ: 'JWT' }),
  part({ sub: 'u-1', scope: 'calling', iat: now, exp: now + 900 }),
  part({ of: 'a signature of the test' }),
].join('.')

test.each<[string, Encode]>([
  ['base64', base64Of],
  ['base64 of gzip', (secret) => base64Of(gzipSync(secret))],
])('finds as much of a JWT and of a call of the mint in %s', async (_, encode) => {
  const call = 'https://api.example.com/api/v1/calling/token'
  const files = { 'a.js': `use("${encode(`a=${jwt}`)}")`, 'b.js': `use("${encode(call)}")` }
  const { findings } = await auditFiles(files, { mintHost: 'api.example.com' })
  expect(findings.map(({ rule, level }) => [rule, level])).toEqual([
    ['AUD-010', 'error'],
    ['AUD-020', 'error'],
  ])
})

test('finds nothing in noise, whatever it is written in', async () => {
  const noise = createHash('shake256', { outputLength: 1_000_000 }).update('a seed').digest()
  const { findings, gaps } = await auditFiles({
    'a.bin': noise,
    'a.txt': noise.toString('base64'),
    'b.txt': noise.toString('hex'),
    'c.txt': noise.toString('base64').replace(/.{76}/g, '$&\n'),
    'd.js': `use([${[...noise.subarray(0, 100_000)]}])`,
  })
  expect(findings).toEqual([])
  expect(gaps).toEqual([])
})

test('accuses no identifier, no placeholder and no word that only ends like the prefix', async () => {
  const { findings } = await auditFiles({
    'a.js':
      'const ids = ["ac_live_room_player_title", "ac_live_xxxxxxxxxxxxxxxxxxxxxxxx", "ac_live_YOUR_API_KEY"]',
    'b.xml': '<string name="zodiac_live_wallpaper">ac_live_roomParticipantListViewController2</string>',
    'c.txt': 'The zodiac_live_ wallpaper',
  })
  expect(findings.filter(({ level }) => level !== 'note')).toEqual([])
  expect(findings.filter(({ rule }) => rule === 'AUD-003').length).toBe(4)
})

test.each<[string, string | Buffer]>([
  ['a literal', 'const prefix = "ac_live_"; send(prefix + rest())'],
  ['a setting', 'KEY_PREFIX=ac_live_\n'],
  ['a program', Buffer.from('\0\x01\x02some text\0ac_live_\0%s%s\0')],
  ['a program of packed texts', Buffer.from('\0\x01\x02SOME.ac_live_%s\0')],
  ['base64', `k ${base64Of('key: ac_live_')}\n`],
  ['hex', `k 0x${hexOf('ac_live_')}\n`],
  ['escapes', 'k \\x61c_live_\n'],
])('warns of a bare prefix in %s', async (_, content) => {
  const { findings, gaps } = await auditFiles({ file: content })
  expect(findings).toMatchObject([{ rule: 'AUD-004', level: 'warning', kind: 'prefix' }])
  expect(gaps).toEqual([])
})

test.each([
  ['a guard', 'export const isKey = (text) => text.startsWith("ac_live_")'],
  ['a pattern', 'export const isKey = (text) => /^ac_live_[A-Za-z0-9]+$/.test(text)'],
  ['a sentence', 'Keys start with ac_live_ and are secret: ac_live_...'],
  ['words that are read backwards', 'the _evil_cat and the _evil_car'],
])('says nothing of a bare prefix in %s', async (_, content) => {
  expect(await auditFiles({ file: content })).toMatchObject({ findings: [], gaps: [] })
})

test('says nothing of a bare prefix beside a key', async () => {
  const { findings } = await auditFiles({
    'a.js': `const k = "${key}"; if (k.startsWith("ac_live_")) use(k)`,
  })
  expect(findings).toMatchObject([{ rule: 'AUD-001' }])
})
