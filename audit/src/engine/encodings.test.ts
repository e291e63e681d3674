import { expect, test } from 'vitest'
import { fingerprintOf } from '../model/fingerprint.ts'
import { auditFiles, key } from '../testing/audit-files.ts'

const bytes = Buffer.from(key)
const each = (write: (code: number) => string) => [...bytes].map(write).join('')
const hex = (code: number) => code.toString(16).padStart(2, '0')
const base64 = (before: string) => `"${Buffer.from(`${before}${key}`).toString('base64')}"`
const half = Math.floor(key.length / 2)

const amid = (text: string, encoding: 'latin1' | 'utf16le' = 'latin1') =>
  Buffer.concat([
    Buffer.from([0, 1, 0xfe, 0]),
    Buffer.from(`${text}\0`, encoding),
    Buffer.alloc(5001, 0xf3),
  ]).subarray(0, -1)

const planted: Record<string, [rule: string, content: string | Buffer, name?: string]> = {
  'UTF-8': ['AUD-001', `k = "${key}"`],
  'UTF-8 after a length byte': [
    'AUD-001',
    Buffer.concat([Buffer.from('\0\x01'), Buffer.from('4'), bytes, Buffer.alloc(2)]),
  ],
  'a protobuf field before another': [
    'AUD-001',
    Buffer.concat([Buffer.from([0, 0x0a, bytes.length]), bytes, Buffer.from('2\x01a\0')]),
  ],
  'UTF-16LE': ['AUD-001', Buffer.concat([Buffer.from([1]), Buffer.from(key, 'utf16le'), Buffer.alloc(2)])],
  'UTF-16BE': ['AUD-001', Buffer.concat([Buffer.from(key, 'utf16le').swap16(), Buffer.alloc(2)])],
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
  'UTF-16BE, entities': ['AUD-006', Buffer.from(`\0${each((code) => `&#${code};`)}`, 'utf16le').swap16()],
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
  'base64, first alignment': ['AUD-006', base64('')],
  'base64, second alignment': ['AUD-006', base64('x')],
  'base64, third alignment': ['AUD-006', base64('xy')],
  'base64, further in': ['AUD-006', base64('user:password:')],
  'hex, lower case': ['AUD-006', `"${bytes.toString('hex')}"`],
  'hex, upper case': ['AUD-006', `"${bytes.toString('hex').toUpperCase()}"`],
  percent: ['AUD-006', each((code) => `%${hex(code)}`)],
  '\\x escapes': ['AUD-006', `"${each((code) => `\\x${hex(code)}`)}"`],
  '\\u escapes': ['AUD-006', `"${each((code) => `\\u00${hex(code)}`)}"`],
  'one escaped character': ['AUD-006', JSON.stringify(key).replace('_', '\\u005f')],
  'one escaped character amid other bytes': ['AUD-006', amid(key.replace('i', '\\u0069'))],
  'one escaped character behind the prefix, amid other bytes': [
    'AUD-006',
    amid(`"${key.replace('9', '\\x39')}"`),
  ],
  'one entity amid other bytes': ['AUD-006', amid(key.replace('_', '&#x5f;'))],
  'UTF-16LE, one escaped character': ['AUD-006', amid(key.replace('l', '\\u006c'), 'utf16le')],
  'UTF-16LE, one escaped character, from an odd byte on': [
    'AUD-006',
    Buffer.concat([Buffer.from([7]), amid(key.replace('c', '\\143'), 'utf16le')]),
  ],
  'UTF-16BE, one percent escape': ['AUD-006', amid(key.replace('_', '%5F'), 'utf16le').swap16()],
  entities: ['AUD-006', `<a b="${each((code) => `&#${code};`)}">`],
  reversed: ['AUD-005', `"${[...key].reverse().join('')}"`],
  XOR: ['AUD-007', Buffer.from([0, 1, 2, ...bytes, 0].map((byte) => byte ^ 0x5a))],
  concatenation: ['AUD-005', `const a = "ac_", b = a + "live_"; use(b + "${key.slice(8)}")`, 'a.js'],
  'template literal': ['AUD-005', `const a = "live"; use(\`ac_\${a}_${key.slice(8)}\`)`, 'a.js'],
  join: ['AUD-005', `use(["ac", "live", "${key.slice(8)}"].join("_"))`, 'a.js'],
  'character codes': ['AUD-005', `use(String.fromCharCode(${[...bytes].join(', ')}))`, 'a.js'],
  'mapped codes': [
    'AUD-005',
    `use([${[...bytes].join()}].map((c) => String.fromCharCode(c)).join(""))`,
    'a.js',
  ],
  'split and reversed': [
    'AUD-005',
    `use("${[...key].reverse().join('').slice(0, half)}".concat("${[...key].reverse().join('').slice(half)}").split("").reverse().join(""))`,
    'a.js',
  ],
  'atob of pieces': [
    'AUD-005',
    `use(atob("${bytes.toString('base64').slice(0, 9)}" + "${bytes.toString('base64').slice(9)}"))`,
    'a.js',
  ],
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
    shown: `ac_live_… (${key.length} characters)`,
  })
  expect(JSON.stringify(result)).not.toContain(key.slice(8, 14))
})

test.each([1, 2, 3])('reports UTF-16BE once, whatever follows it (%i)', async (next) => {
  const wide = Buffer.from(key, 'utf16le').swap16()
  const { findings } = await auditFiles({
    'a.bin': Buffer.concat([Buffer.from([0, 1]), wide, Buffer.from([next, 7])]),
    'b.bin': Buffer.concat([Buffer.from([5, 0]), Buffer.from(key, 'utf16le'), Buffer.from([0, 0, next])]),
  })
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key), fingerprintOf(key)])
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
  ['a guard', 'export const isKey = (text) => text.startsWith("ac_live_")'],
  ['a pattern', 'export const isKey = (text) => /^ac_live_[A-Za-z0-9]+$/.test(text)'],
  ['a sentence', 'Keys start with ac_live_ and are secret: ac_live_...'],
  ['a setting', 'KEY_PREFIX=ac_live_\n'],
  ['a program', Buffer.from('\0\x01\x02some text\0ac_live_\0%s%s\0')],
  ['a program of packed texts', Buffer.from('\0\x01\x02SOME.ac_live_%s\0')],
])('warns of a bare prefix in %s', async (_, content) => {
  const { findings, gaps } = await auditFiles({ file: content })
  expect(findings).toMatchObject([{ rule: 'AUD-004', level: 'warning', kind: 'prefix' }])
  expect(gaps).toEqual([])
})

test('says nothing of a bare prefix beside a key', async () => {
  const { findings } = await auditFiles({
    'a.js': `const k = "${key}"; if (k.startsWith("ac_live_")) use(k)`,
  })
  expect(findings).toMatchObject([{ rule: 'AUD-001' }])
})

test('does not show a key that is the name of a file', async () => {
  const result = await auditFiles({ [`${key}.txt`]: `x ${key} y` })
  expect(JSON.stringify(result)).not.toContain(key.slice(8, 14))
  expect(result.findings).toHaveLength(1)
})
