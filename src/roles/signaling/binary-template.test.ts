import { describe, expect, test } from 'vitest'
import { fillBinary, parseBinaryTemplate, readBinary } from './binary-template.ts'

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

test.each<[string, string, number[]]>([
  ['literals around a placeholder', `${base64('ab')}{userId}${base64('c')}`, [0x61, 0x62, 0xc3, 0xbc, 0x63]],
  ['one byte of length', '{u8:{userId}}', [2, 0xc3, 0xbc]],
  ['a length in the order of the network', '{u16:{userId}}', [0, 2, 0xc3, 0xbc]],
  ['a length of 32 bits', '{u32:{userId}}', [0, 0, 0, 2, 0xc3, 0xbc]],
  ['a group in a group', 'Cg=={varint:Eg=={varint:{userId}}}', [0x0a, 4, 0x12, 2, 0xc3, 0xbc]],
  ['a field of Protocol Buffers', 'Cg=={varint:{userId}}', [0x0a, 2, 0xc3, 0xbc]],
  [
    'a map of MessagePack',
    'gaV0b2tlbto={u16:{userId}}',
    [0x81, 0xa5, ...Buffer.from('token'), 0xda, 0, 2, 0xc3, 0xbc],
  ],
  ['an empty group', '{u8:}', [0]],
])('%s', (_, template, bytes) => {
  expect([...fill(template, { jwt: null, userId: 'ü' })]).toEqual(bytes)
})

test('a length of more than seven bits, in base 128', () => {
  expect([...fill('{varint:{jwt}}', { jwt, userId: null }).subarray(0, 3)]).toEqual([0xac, 0x02, 0x78])
  expect(fillBinary(parse('{u8:{jwt}}'), { jwt, userId: null })).toBeNull()
})

describe('reads a filled template again', () => {
  test.each([
    'EA=={varint:AARNUVRUBMIAPA=={u16:{random}}{u16:{userId}}{u16:{jwt}}}',
    `{userId}${base64('\0')}{jwt}`,
    '{u32:{jwt}}{u8:{userId}}',
    `${base64('AUTH')}{u8:{userId}}{jwt}`,
  ])('%s', (text) => {
    const template = parse(text)
    expect(readBinary(template, fill(text, { jwt, userId: 'u-1' }))).toEqual({ jwt, userId: 'u-1' })
    expect(readBinary(template, fill(text, nothing))).toEqual({ jwt: '', userId: '' })
  })

  test('with more behind it, but not with less or something else', () => {
    const template = parse('EA=={u16:{jwt}}')
    const filled = fillBinary(template, { jwt, userId: null }) ?? Buffer.of()
    expect(readBinary(template, Buffer.concat([filled, Buffer.from('v2')]))).toEqual({ jwt, userId: null })
    expect(readBinary(template, filled.subarray(0, -1))).toBeNull()
    expect(readBinary(template, filled.subarray(1))).toBeNull()
    expect(readBinary(parse('{u8:AA=={jwt}}'), Buffer.of(2, 1, 0x61))).toBeNull()
    expect(readBinary(parse('{varint:{jwt}}'), Buffer.alloc(9, 0xff))).toBeNull()
  })
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
