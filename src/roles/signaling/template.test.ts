import { expect, test } from 'vitest'
import { addBesideToken } from './beside-token.ts'
import { fillBinary, parseBinaryTemplate, readBinary } from './binary-template.ts'
import { fillMessage, inReplyTo, readMessage } from './template.ts'

test.each([
  ['JSON', '{"token":"{jwt}","as":"{userId}"}', '{"as":"ann","token":"a.b.c","v":1}'],
  [
    'Socket.IO',
    '42["auth",{"token":"{jwt}","as":"{userId}"}]',
    '42["auth",{"as":"ann","v":1,"token":"a.b.c"}]',
  ],
  [
    'Socket.IO with an acknowledgement',
    '42/calls,["auth",{"token":"{jwt}","as":"{userId}"}]',
    '42/calls,7["auth",{"token":"a.b.c","as":"ann"}]',
  ],
  [
    'XML attributes',
    '<auth mechanism="JWT" user="{userId}">{jwt}</auth>',
    "<auth user='ann' mechanism='JWT' xmlns='x'>a.b.c</auth>",
  ],
  ['plain text', 'AUTH {jwt} {userId}', 'AUTH a.b.c ann'],
  [
    'a later message of a protocol that counts them',
    '["1","1","user:{userId}","join",{"token":"{jwt}","n":1}]',
    '["3","12","user:ann","join",{"token":"a.b.c","n":2}]',
  ],
])('reads a credential from %s', (_, template, text) => {
  expect(readMessage(template, text)).toEqual({ jwt: 'a.b.c', userId: 'ann' })
})

test.each([
  ['another event', '42["auth",{"token":"{jwt}"}]', '42["call",{"token":"a.b.c"}]'],
  ['another kind of packet', '42["auth",{"token":"{jwt}"}]', '40["auth",{"token":"a.b.c"}]'],
  ['a smaller number', '{"op":2,"token":"{jwt}"}', '{"op":1,"token":"a.b.c"}'],
  ['a number for a text', '{"op":"2","token":"{jwt}"}', '{"op":3,"token":"a.b.c"}'],
  ['another element', '<auth token="{jwt}"/>', '<call token="a.b.c"/>'],
  ['another mechanism', '<auth m="JWT">{jwt}</auth>', '<auth m="PLAIN">a.b.c</auth>'],
])('reads none from %s', (_, template, text) => {
  expect(readMessage(template, text)).toBeNull()
})

test.each([
  ['{"id":1,"connect":{}}', '{"id":7,"connect":{}}'],
  ['{"id":1,"error":{"code":1}}', '{"id":7,"error":{"code":1}}'],
  ['42{"id":1}', '42{"id":7}'],
  ['{"id":2,"connect":{}}', '{"id":2,"connect":{}}'],
  ['+OK 1', '+OK 1'],
])('a response %s has the number of the message that it answers', (reply, sent) => {
  expect(
    inReplyTo('{"id":1,"connect":{"token":"{jwt}"}}', '{"id":7,"connect":{"token":"a.b.c"}}', reply),
  ).toBe(sent)
})

test('reads a long text that ends otherwise in time to its size', () => {
  expect(readMessage('AUTH {jwt} {userId}!', `AUTH ${' '.repeat(1_000_000)}`)).toBeNull()
})

test.each(['42["auth",{"as":"{userId}"}]', '<auth user="{userId}"/>', '{"as":"{userId}"}'])(
  'escapes what it puts into %s',
  (template) => {
    const userId = `"ann'<&>\\`
    expect(readMessage(template, fillMessage(template, { jwt: null, userId }))?.userId).toBe(userId)
  },
)

const jwt = 'x'.repeat(300)
const nothing = { jwt: null, userId: null }
const base64 = (text: string) => Buffer.from(text).toString('base64')

function parse(text: string) {
  const template = parseBinaryTemplate(text)
  if ('fault' in template) throw new Error(template.fault)
  return template
}

function fill(text: string, credential: { jwt: string | null; userId: string | null }): Buffer {
  return fillBinary(parse(text), credential) ?? Buffer.from('too long')
}

test('a length of more than seven bits, in base 128', () => {
  expect([...fill('{varint:{jwt}}', { jwt, userId: null }).subarray(0, 3)]).toEqual([0xac, 0x02, 0x78])
  expect(fillBinary(parse('{u8:{jwt}}'), { jwt, userId: null })).toBeNull()
})

test.each([
  'EA=={varint:AARNUVRUBMIAPA=={u16:{random}}{u16:{userId}}{u16:{jwt}}}',
  `{userId}${base64('\0')}{jwt}`,
  '{u32:{jwt}}{u8:{userId}}',
  `${base64('AUTH')}{u8:{userId}}{jwt}`,
])('reads a filled template again: %s', (text) => {
  const template = parse(text)
  expect(readBinary(template, fill(text, { jwt, userId: 'u-1' }))).toEqual({ jwt, userId: 'u-1' })
  expect(readBinary(template, fill(text, nothing))).toEqual({ jwt: '', userId: '' })
})

test('reads a filled template again: with more behind it, but not with less or something else', () => {
  const template = parse('EA=={u16:{jwt}}')
  const filled = fillBinary(template, { jwt, userId: null }) ?? Buffer.of()
  expect(readBinary(template, Buffer.concat([filled, Buffer.from('v2')]))).toEqual({ jwt, userId: null })
  expect(readBinary(template, filled.subarray(0, -1))).toBeNull()
  expect(readBinary(template, filled.subarray(1))).toBeNull()
  expect(readBinary(parse('{u8:AA=={jwt}}'), Buffer.of(2, 1, 0x61))).toBeNull()
  expect(readBinary(parse('{varint:{jwt}}'), Buffer.alloc(9, 0xff))).toBeNull()
})

test.each([
  ['a b', 'has no base64 at character 1'],
  ['EA=={u16:{jwt}', 'lacks the } of a group'],
  ['EA==}', 'has a } too many at character 5'],
  ['EA=={token}', 'has an unknown placeholder at character 5'],
  ['{u16:x{jwt}}', 'has no base64 at character 6'],
  ['{u8:{userId}{jwt}}', 'has {userId} before another placeholder, without bytes between them'],
])('%s %s', (template, fault) => {
  expect(parseBinaryTemplate(template)).toEqual({ fault })
})

test.each([
  ['a text', 'AUTH {jwt}'],
  ['a list', '["auth","{jwt}"]'],
  ['JSON without the token', '{"type":"hello"}'],
  ['objects without an end', '{"a":'.repeat(10_000)],
])('adds nothing to %s', (_, message) => {
  expect(addBesideToken(message, '{jwt}', { uid: 'ann' })).toBeNull()
})
