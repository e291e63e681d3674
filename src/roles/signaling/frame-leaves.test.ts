import { describe, expect, test } from 'vitest'
import { frameLeaves } from './frame-leaves.ts'

const namesOf = (text: string, user = 'ann') =>
  frameLeaves(text)
    .filter(({ value }) => value === user)
    .map(({ path }) => path)

test.each([
  ['JSON', '{"type":"welcome","user":{"id":"ann"}}', ["$['user']['id']"]],
  ['Socket.IO', '42["welcome",{"userId":"ann"}]', ["$['argument 1']['userId']"]],
  ['Socket.IO with a plain argument', '42["welcome","ann"]', ["$['argument 1']"]],
  [
    'Socket.IO in a namespace, with an acknowledgement',
    '42/calls,17["welcome",{"userId":"ann"}]',
    ["/calls, $['argument 1']['userId']"],
  ],
  ['Engine.IO', '0{"sid":"x","user":"ann"}', ["$['user']"]],
  ['SockJS', String.raw`a["{\"type\":\"welcome\",\"userId\":\"ann\"}"]`, ["a $['event'] > $['userId']"]],
  ['server-sent events', 'event: welcome\ndata: {"userId":"ann"}\n\n', ["event:welcomedata: $['userId']"]],
  [
    'SignalR',
    '{"type":6}\u001e{"type":1,"target":"welcome","arguments":[{"userId":"ann"}]}\u001e',
    ["$['arguments'][0]['userId']"],
  ],
  ['NATS', 'INFO {"client_id":7,"user":"ann"} \r\n', ["INFO $['user']"]],
  ['STOMP', 'CONNECTED\nversion:1.2\nuser-name:ann\n\n\0', ['user-name']],
  ['XML attributes', `<success xmlns='urn:x' user="ann"/>`, ['success/@user']],
  ['XML texts', '<?xml version="1.0"?><bind><jid>ann</jid></bind>', ['bind/jid']],
  ['an open XML stream', "<stream:stream from='a' to='ann'>", ['stream:stream/@to']],
  ['XML in JSON', '{"body":"<self id=\'ann\'/>"}', ["$['body'] > self/@id"]],
])('names the user in %s', (_, text, paths) => {
  expect(namesOf(text)).toEqual(paths)
})

test('decodes references of XML', () => {
  expect(namesOf('<a b="&#97;&#x6E;n&amp;&lt;&#9999999;"/>', 'ann&<&#9999999;')).toEqual(['a/@b'])
})

describe('the reader of a hostile frame', () => {
  /** An effort by its square would take longer than any test may. */
  const long = 1_000_000
  test.each([
    ['braces', '{'.repeat(long)],
    ['nested lists', '['.repeat(long) + ']'.repeat(long)],
    ['open tags', '<a>'.repeat(long)],
    ['an endless tag', `<a ${'b="c" '.repeat(long)}`],
    ['blanks', `<a${' '.repeat(long)}`],
    ['ampersands', `<a b="${'&'.repeat(long)}"/>`],
    ['colons', ':'.repeat(long)],
    ['lines', 'a:b\n'.repeat(long)],
    ['texts of JSON in texts of JSON', nested(12)],
  ])('reads %s', (_, text) => {
    expect(frameLeaves(text)).toBeInstanceOf(Array)
  })

  function nested(times: number): string {
    let text = '{"a":"ann"}'
    for (let time = 0; time < times; time += 1) text = JSON.stringify({ a: text })
    return text
  }
})

test('a frame of zeros with something behind them is read', () => {
  expect(namesOf(`{"user":"ann"}${'\0'.repeat(2_000)}`)).toEqual(["$['user']"])
  expect(frameLeaves(`${'\0'.repeat(1_000_000)}x`)).toEqual([])
})
