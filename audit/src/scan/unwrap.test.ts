import { deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fingerprintOf } from '../model/fingerprint.ts'
import { auditFiles, key } from '../testing/audit-files.ts'

type Encode = (secret: string | Buffer) => string

const bytesOf = (secret: string | Buffer) => Buffer.from(secret as string)
const hexOf = (secret: string | Buffer) => bytesOf(secret).toString('hex')
const base64: Encode = (secret) => bytesOf(secret).toString('base64')
const wrapped = (secret: string | Buffer, length = 76) =>
  base64(secret).replace(new RegExp(`.{${length}}`, 'g'), '$&\n')
const masked = (secret: string | Buffer, mask = 0x5a) =>
  Buffer.from(bytesOf(`${secret}\0`).map((byte) => byte ^ mask))
const percent: Encode = (secret) => hexOf(secret).replace(/../g, '%$&')
const unicode: Encode = (secret) => hexOf(secret).replace(/../g, '\\u00$&')
const entities: Encode = (secret) => [...bytesOf(secret)].map((code) => `&#${code};`).join('')
const again = (text: string) => text.replaceAll('%', '%25').replaceAll('\\', '\\\\').replaceAll('&', '&amp;')
const encodings: Readonly<Record<string, Encode>> = {
  'base64 in lines': (secret) => wrapped(`some words before it, and then ${secret} and some behind it, too`),
  'base64 in base64': (secret) => base64(base64(secret)),
  'base64 of other text around base64': (secret) => base64(`{"k":"${base64(secret)}"}`),
  'base64url without padding': (secret) => bytesOf(base64(`??>>${secret}`)).toString('base64url'),
  'base64 of UTF-16': (secret) => base64(Buffer.from(String(secret), 'utf16le')),
  'base64 of gzip': (secret) => base64(gzipSync(`{"k":"${secret}"}`)),
  'base64 of zlib': (secret) => base64(deflateSync(`{"k":"${secret}"}`)),
  'hex of gzip': (secret) => hexOf(gzipSync(`{"k":"${secret}"}`)),
  'base64 of hex': (secret) => base64(hexOf(secret)),
  'hex of base64': (secret) => hexOf(base64(secret)),
  'hex of hex': (secret) => hexOf(hexOf(secret)),
  'hex with 0x and commas': (secret) =>
    [...bytesOf(secret)].map((code) => `0x${code.toString(16)}`).join(', '),
  'base64 of \\u escapes': (secret) => base64(unicode(secret)),
  'percent of percent': (secret) => again(percent(secret)),
  'percent of base64': (secret) => percent(base64(secret)),
  'escapes of escapes': (secret) => again(unicode(secret)),
  'entities of percent': (secret) => entities(percent(secret)),
  'entities of entities': (secret) => again(entities(secret)),
  'XOR under hex': (secret) => hexOf(masked(secret)),
  'XOR under base64': (secret) => base64(masked(secret, 0xc3)),
  'XOR under base64 of base64': (secret) => base64(base64(masked(secret))),
  'numbers of 8 bits': (secret) => `[${[...bytesOf(secret)]}]`,
  'signed numbers of 8 bits under XOR': (secret) => `[${[...new Int8Array(masked(secret, 0xaa))]}]`,
}

const homes: Readonly<Record<string, (value: string) => string | Buffer>> = {
  'a.js': (value) => `const k=${value.startsWith('[') ? value : JSON.stringify(value)};use(k)`,
  'a.properties': (value) => `name = app\nvalue = ${value}\n`,
  'a.bin': (value) =>
    Buffer.concat([Buffer.from([0, 1, 0xfe, 0]), Buffer.from(`${value}\0`), Buffer.alloc(300, 0xf3)]),
}

describe.each(Object.keys(homes))('in %s', (name) => {
  test.each(Object.entries(encodings))('finds a key in %s', async (_, encode) => {
    const { findings } = await auditFiles({ [name]: homes[name]?.(encode(key)) ?? '' })
    const found = findings.filter(({ fingerprint }) => fingerprint === fingerprintOf(key))
    expect(found, JSON.stringify(findings)).not.toEqual([])
    expect(found[0]?.level).toBe(found[0]?.rule === 'AUD-007' ? 'warning' : 'error')
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
const call = 'https://api.example.com/api/v1/calling/token'

describe('finds as much of', () => {
  const some = [
    'base64 in base64',
    'hex of base64',
    'base64 of gzip',
    'percent of percent',
    'XOR under hex',
    'XOR under base64 of base64',
    'signed numbers of 8 bits under XOR',
  ]
  test.each(some)('a JWT in %s', async (name) => {
    const { findings } = await auditFiles({ 'a.js': `use(${JSON.stringify(encodings[name]?.(jwt))})` })
    expect(findings.map(({ rule, fingerprint }) => [rule, fingerprint])).toEqual([
      ['AUD-010', fingerprintOf(jwt)],
    ])
  })

  test.each(some)('a call of the mint in %s', async (name) => {
    const files = { 'a.js': `use(${JSON.stringify(encodings[name]?.(call))})` }
    const { findings } = await auditFiles(files, { mintHost: 'api.example.com' })
    expect(findings.map(({ rule, level }) => [rule, level])).toEqual([['AUD-020', 'error']])
  })
})

/** Noise of a fixed seed. */
function noise(length: number): Buffer {
  let state = 20_261_123
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

test('finds nothing in noise, whatever it is written in', async () => {
  const bytes = noise(1_000_000)
  const { findings, gaps } = await auditFiles({
    'a.bin': bytes,
    'a.txt': bytes.toString('base64'),
    'b.txt': bytes.toString('hex'),
    'c.txt': wrapped(bytes),
    'd.js': `use([${[...bytes.subarray(0, 100_000)]}])`,
  })
  expect(findings).toEqual([])
  expect(gaps).toEqual([])
})

test('finds a key far into a long list of numbers', async () => {
  const list = [...noise(250_000), ...Buffer.from(`"${key}"`), ...noise(250_000)]
  const { findings, gaps } = await auditFiles({ 'a.json': `[${list}]` })
  expect(findings.map(({ fingerprint }) => fingerprint)).toEqual([fingerprintOf(key)])
  expect(gaps).toEqual([])
})

test('reads nested encodings up to the depth limit', async () => {
  let text = key
  for (let depth = 0; depth < 12; depth++) text = base64(text)
  const { findings } = await auditFiles({
    'a.txt': text,
    'b.txt': '%25'.repeat(400_000),
    'c.txt': '\\\\'.repeat(400_000),
  })
  expect(findings).toEqual([])
})
