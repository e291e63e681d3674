import { expect, test } from 'vitest'
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

test('a response has each number at the place where the message has it', () => {
  const template = '["1","1","t","join",{"token":"{jwt}"}]'
  expect(
    inReplyTo(template, '["3","12","t","join",{"token":"a.b.c"}]', '["1","1","t","reply",{"n":"1"}]'),
  ).toBe('["3","12","t","reply",{"n":"1"}]')
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
