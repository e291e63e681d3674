import { deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { findSecret } from './find-secret.ts'

const secret = 'ac_live_4f9aB27/cD1e+80"x\\y'
const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const each = (text: string, code: (character: string) => string) => [...text].map(code).join('')
const unit = (character: string) => character.charCodeAt(0)

test.each([
  ['as it is', 'plain', secret],
  ['in base64 behind two bytes', 'base64', Buffer.from(`ab${secret}cd`).toString('base64url')],
  ['in JSON', 'escaped', JSON.stringify({ a: secret })],
  ['in JSON in JSON', 'escaped', JSON.stringify(JSON.stringify({ a: secret }))],
  ['with slashes escaped', 'escaped', `"${secret.replaceAll('\\', '\\\\').replaceAll('/', '\\/')}"`],
  ['as JavaScript units', 'escaped', each(secret, (c) => `\\u${hex(c).padStart(4, '0')}`)],
  ['as JavaScript bytes', 'escaped', each(secret, (c) => `\\x${hex(c)}`)],
  ['as code points', 'escaped', each(secret, (c) => `\\u{${hex(c)}}`)],
  ['as octal escapes', 'escaped', each(secret, (c) => `\\${unit(c).toString(8).padStart(3, '0')}`)],
  ['as HTML references', 'escaped', each(secret, (c) => `&#x${hex(c)};`)],
  ['as decimal references', 'escaped', each(secret, (c) => `&#${unit(c)};`)],
  [
    'with named references',
    'escaped',
    secret.replaceAll('/', '&sol;').replaceAll('+', '&plus;').replaceAll('"', '&quot;'),
  ],
  ['percent-encoded', 'percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded twice', 'percent-encoded', encodeURIComponent(encodeURIComponent(secret))],
  ['backwards', 'reversed', [...secret].toReversed().join('')],
  ['in UTF-16', 'interrupted', Buffer.from(secret, 'utf16le').toString('latin1')],
  ['with a character that is not printed', 'interrupted', secret.replace('_', '_\u0001')],
  ['with a space of no width', 'interrupted', secret.replace('_', '_\u200b')],
  ['in base64', 'base64', base64(secret)],
  ['in base64 twice', 'base64', base64(base64(`a${secret}`))],
  ['in wrapped base64', 'base64', base64(secret).replace(/.{12}/g, '$&\n')],
  ['in base64 that a string wraps', 'base64', JSON.stringify(base64(secret).replace(/.{12}/g, '$&\r\n'))],
  ['in base64 of UTF-16', 'base64', base64(Buffer.from(secret, 'utf16le'))],
  ['in base64 of gzip', 'base64', base64(gzipSync(`some text ${secret} and more`))],
  ['in base64 of zlib', 'base64', base64(deflateSync(secret))],
  ['in hexadecimal', 'hexadecimal', hex(secret).toUpperCase()],
  ['in hexadecimal with colons', 'hexadecimal', each(secret, (c) => `${hex(c)}:`).slice(0, -1)],
  ['in hexadecimal with marks', 'hexadecimal', each(secret, (c) => `0x${hex(c)}, `).slice(0, -2)],
  ['as a list of codes', 'character codes', JSON.stringify([...secret].map(unit), null, 2)],
  ['as a Buffer in JSON', 'character codes', JSON.stringify(Buffer.from(secret))],
])('finds a secret %s', (_, encoding, text) => {
  expect(findSecret(`{"before":1} ${text} after`, secret)).toBe(encoding)
})

test('finds a secret behind a bomb, and in what of it is read', () => {
  const bomb = gzipSync(`${secret}${'\0'.repeat(50_000_000)}`)
  expect(findSecret(base64(bomb), secret)).toBe('base64')
  expect(findSecret(`${base64(gzipSync('\0'.repeat(50_000_000)))} ${secret}`, secret)).toBe('plain')
})

test('finds nothing in what is alike', () => {
  const other = `${secret.slice(0, -1)}z`
  for (const text of [other, base64(other), hex(other), JSON.stringify(other), encodeURIComponent(other)])
    expect(findSecret(text, secret)).toBeNull()
  expect(findSecret('anything', '')).toBeNull()
})
