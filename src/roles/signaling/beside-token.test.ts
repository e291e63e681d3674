import { expect, test } from 'vitest'
import { addBesideToken } from './beside-token.ts'

test.each([
  ['JSON', '{"token":"{jwt}"}', '{"token":"{jwt}","uid":"ann"}'],
  ['Socket.IO', '40{"token":"{jwt}"}', '40{"token":"{jwt}","uid":"ann"}'],
  ['an event of Socket.IO', '42["auth",{"token":"{jwt}"}]', '42["auth",{"token":"{jwt}","uid":"ann"}]'],
  ['an object in another', '{"auth":{"t":"Bearer {jwt}"}}', '{"auth":{"t":"Bearer {jwt}","uid":"ann"}}'],
  [
    'SignalR',
    '{"type":1,"arguments":[{"token":"{jwt}"}]}\u001e',
    '{"type":1,"arguments":[{"token":"{jwt}","uid":"ann"}]}\u001e',
  ],
  ['a user who is there', '{"token":"{jwt}","uid":"bob"}', '{"token":"{jwt}","uid":"bob"}'],
])('states a user beside the token in %s', (_, message, expected) => {
  expect(addBesideToken(message, '{jwt}', { uid: 'ann' })).toBe(expected)
})

test.each([
  ['a text', 'AUTH {jwt}'],
  ['a list', '["auth","{jwt}"]'],
  ['JSON without the token', '{"type":"hello"}'],
  ['objects without an end', '{"a":'.repeat(10_000)],
])('adds nothing to %s', (_, message) => {
  expect(addBesideToken(message, '{jwt}', { uid: 'ann' })).toBeNull()
})
