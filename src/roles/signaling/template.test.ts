import { expect, test } from 'vitest'
import { fillMessage, readMessage } from './template.ts'

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
])('reads a credential from %s', (_, template, text) => {
  expect(readMessage(template, text)).toEqual({ jwt: 'a.b.c', userId: 'ann' })
})

test.each([
  ['another event', '42["auth",{"token":"{jwt}"}]', '42["call",{"token":"a.b.c"}]'],
  ['another kind of packet', '42["auth",{"token":"{jwt}"}]', '40["auth",{"token":"a.b.c"}]'],
  ['another element', '<auth token="{jwt}"/>', '<call token="a.b.c"/>'],
  ['another mechanism', '<auth m="JWT">{jwt}</auth>', '<auth m="PLAIN">a.b.c</auth>'],
])('reads none from %s', (_, template, text) => {
  expect(readMessage(template, text)).toBeNull()
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
