import { expect, test } from 'vitest'
import { readToken, tokensIn } from '../../base/tokens/decode.ts'
import { pathsHolding } from '../../base/tokens/find-user-claim.ts'
import { claimsOf, forUser, takenApart } from '../../base/tokens/forge.ts'
import { tampered } from '../../base/tokens/forge-tampered.ts'
import { jsonPaths } from '../../base/tokens/json-paths.ts'
import { createForgedDecoder } from './attempt-recorder.ts'
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
])('reads a hostile frame: %s', (_, text) => {
  expect(frameLeaves(text)).toBeInstanceOf(Array)
})

function nested(times: number): string {
  let text = '{"a":"ann"}'
  for (let time = 0; time < times; time += 1) text = JSON.stringify({ a: text })
  return text
}

test('a frame of zeros with something behind them is read', () => {
  expect(namesOf(`{"user":"ann"}${'\0'.repeat(2_000)}`)).toEqual(["$['user']"])
  expect(frameLeaves(`${'\0'.repeat(1_000_000)}x`)).toEqual([])
})

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const tokenOf = (claims: string) => `${base64url('{"alg":"ES256"}')}.${base64url(claims)}.c2ln`
const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** Claims of about 30 KB that are made to be compared slowly. */
const hostile: Readonly<Record<string, string>> = {
  'arrays, 20,000 deep': arrays(20_000),
  'objects, 20,000 deep': objects(20_000),
  'many leaves below long names': `${`{"${'x'.repeat(500)}":`.repeat(40)}[${'1,'.repeat(3000)}1]${'}'.repeat(40)}`,
  'one name of 20,000 characters': `{"${"'".repeat(20_000)}":[${'1,'.repeat(3000)}1]}`,
  'many fields': `{${Array.from({ length: 3000 }, (_, index) => `"k${index}":"u"`).join()}}`,
}

test.each(Object.keys(hostile))('a token with %s is read, forged and compared', (name) => {
  const claims = `{"sub":"user-1","odd":${hostile[name]},"exp":1}`
  const jwt = tokenOf(claims)
  const read = readToken(jwt)
  expect(pathsHolding(read?.claims ?? {}, 'user-1', 'auto')).toEqual(["$['sub']"])
  const original = takenApart(jwt, 'user-1')
  if (original === null) throw new Error('no JWS')
  const forgeries = tampered(original, { otherUser: 'user-2' })
  expect(claimsOf({ ...original, payload: forUser(original, 'user-2') })).toHaveProperty('sub', 'user-2')
  expect(forgeries.filter(({ userId }) => userId === 'user-2')).toHaveLength(2)
  const decode = createForgedDecoder()
  for (let round = 0; round < 10; round += 1)
    expect(decode(tokenOf(claims.replace('"exp":1', `"exp":${round}`)), [jwt])?.genuine).toBeDefined()
})

test('paths are bounded in depth and in length', () => {
  const leaves = jsonPaths(
    JSON.parse(`{"deep":${objects(100)},"a":[1,{"b c":true}],"${'n'.repeat(2000)}":1,"z":null}`),
  )
  expect(leaves).toEqual([
    { path: "$['a'][0]", value: 1 },
    { path: "$['a'][1]['b c']", value: true },
    { path: "$['z']", value: null },
  ])
})

test('finds tokens of three and of five parts, one behind another, and each once', () => {
  const [jws, other] = [tokenOf('{"sub":"a"}'), tokenOf('{"sub":"b"}')]
  const jwe = `${base64url('{"alg":"dir","enc":"A256GCM"}')}..aaaa.bbbb.cccc`
  const spaced = `${base64url(' {"alg":"none"}')}.${base64url('{}')}.`
  expect(tokensIn(`a ${jws} "${other}",${jwe}; x.${jws} ${spaced} ey.ey.ey`)).toEqual([
    jws,
    other,
    jwe,
    spaced,
  ])
})
