import { expect, test } from 'vitest'
import { complaint, key, mint, profile } from './testing/load.ts'

test.each([
  [
    'mint:\n  url: htps://api\n  apiKey: x',
    '2: mint.url is text of 10 characters, expected an http or https URL',
  ],
  [
    'mint:\n  url: https://a.b/api/v1/calling/token/\n  apiKey: x',
    '2: mint.url ends with /api/v1/calling/token',
  ],
  ['mint:\n  url: https://u:p@a.b\n  apiKey: x', '2: mint.url is text of 15 characters, expected'],
  ['mint:\n  apiKey: x', '1: mint.url is missing, expected an http or https URL'],
  ['mint:', '1: mint is empty, expected a mapping: give it a value or remove the line'],
  ['name: 12', '1: name is the number 12, expected text: put it in quotes'],
  [
    'mint:\n  url: https://a.b\n  apiKey: 12345678',
    `3: mint.apiKey is a number, expected text, \${NAME} or { command`,
  ],
  [mint('  minTtlSeconds: -1'), '4: mint.minTtlSeconds is the number -1, expected a whole number of seconds'],
  [
    'client: { url: https://a.b, driver: ./d.mjs, users: { alice: { password: 7 } } }',
    'client.users.alice.password is one character, which no report could hide',
  ],
  ['client: { observe: {} }', 'client.observe needs proxy or listen, and only one of the two'],
  [
    'client: { observe: { proxy: "0.0.0.0:9451", forwardUnread: ["*.com"] } }',
    'client.observe.forwardUnread[0] is text of 5 characters, expected a host such as',
  ],
  ['backend:\n  url: https://a.b\n  fakeMint: { listen: "a:70000", apiKey: k }', 'a port from 1 to 65535'],
  [
    'token: { field: token }',
    'token.field is text of 5 characters, expected auto or a JSONPath such as $.data.token',
  ],
  ['start: { compose: a.yml, command: b }', 'start has 2 ways to start'],
  ['absent:\n  - { what: trail, reason: r }', '2: absent[0].what is "trail", expected one of backend, trial'],
  ['limits: { leewayWarnSeconds: 400 }', 'limits.leewayWarnSeconds is 400, above leewayFailSeconds (300)'],
  ['waivers: [ { id: SIG-08, reason: r, expires: 2027-02-30 } ]', 'expected a date such as 2027-03-31'],
])('a value that is wrong is named: %s', async (text, expected) => {
  const { message } = await complaint(text, { KEY: key })
  expect(message).toContain(expected)
  expect(message).not.toContain('\n')
})

test.each([
  ['carriage: { in: subprotocol, protocols: [ "{jwt}", "{jwt}" ] }', 'names each subprotocol once'],
  [
    `carriage: { in: message, template: '{"token":"{jwt}","user":"{user}"}' }`,
    'carriage.template has the placeholder {user}, which would be sent as it is: write {jwt} or {userId}',
  ],
  ['success: [ { frame: { path: $.a } } ]', 'signaling.profile.success[0].frame.equals is missing'],
  ['failure: [ { htp: [401] } ]', 'failure[0].htp is an unknown key; did you mean "http"'],
  ['failure: [ { http: [401], close: [4401] } ]', 'cannot be combined with the other keys here'],
  [
    'declaredUser: { in: carriage }',
    'declaredUser is carriage, but no template of the carriage contains {userId}',
  ],
  [
    'headers: { X-User: "{userId}" }',
    'headers.X-User has the placeholder {userId}, which would be sent as it is: nothing is filled in here',
  ],
  ['binary: base64\n    opening: [hello]', 'opening[0] has no base64 at character 1'],
  ["binary: base64\n    again: 'hello{jwt}'", 'again has no base64 at character 1'],
])('a value that is wrong is named in the profile: %s', async (line, expected) => {
  const key = line.split(':', 1)[0]
  const others = profile.replace(new RegExp(` {4}${key}: .*\n`), '')
  const { message } = await complaint(`${others}    ${line}\n`)
  expect(message).toContain(expected)
  expect(message).not.toContain('\n')
})

test('an adapter beside a profile is refused', async () => {
  const { message } = await complaint(`${profile}  adapter: ./a.mjs\n`)
  expect(message).toContain(
    'twotoken.yaml:7: signaling.adapter cannot be combined with a profile: remove one of the two',
  )
})

test.each([
  ['mnt: {}', '1: mnt is an unknown key; did you mean "mint"?'],
  [mint('  apikey: x'), '4: mint.apikey is an unknown key; did you mean "apiKey"?'],
  [
    mint(`  keys: { trialended: "\${KEY}" }`),
    'mint.keys.trialended is an unknown key; did you mean "trialEnded"?',
  ],
  [
    mint(`  keys: { capped: { key: "\${KEY}", atested: true } }`),
    'mint.keys.capped.atested is an unknown key; did you mean "attested"?',
  ],
  ['load: { maxUsers: 5 }', '1: load was removed: run the Artillery script of examples/load'],
  ['absent: [ { waht: trial, reason: r } ]', 'absent[0].waht is an unknown key; did you mean "what"?'],
])('an unknown key is named with the nearest known one: %s', async (text, expected) => {
  const { message } = await complaint(text, { KEY: key })
  expect(message).toContain(expected)
})

test('an unknown key shows nothing of a credential that was written as a key', async () => {
  const { message } = await complaint(`mint:\n  url: https://a.b\n  apiKey: { ${key}: }\n  ${key}: x\n`)
  expect(message).toContain('mint.apiKey contains an unknown key of 48 characters')
  expect(message).not.toContain(key)
})

test('all problems are reported together in the order of their lines', async () => {
  const { code, message } = await complaint(
    `name: 1\nmint:\n  apiKey: \${NO_KEY}\nlimits:\n  bodyBytes: big\n  colour: red\nwaivers: 3\n`,
  )
  expect(code).toBe('configuration')
  expect(message.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
    '6 problems',
    'twotoken.yaml:1: name',
    'twotoken.yaml:2: mint.url',
    'twotoken.yaml:3: mint.apiKey',
    'twotoken.yaml:5: limits.bodyBytes',
    'twotoken.yaml:6: limits.colour',
    'twotoken.yaml:7: waivers',
  ])
})

test('all problems show no value of a credential or of the environment', async () => {
  const { message } = await complaint(
    `mint: { url: "\${SECRET}", apiKey: "two\\nlines of ${key}", minTtlSeconds: "\${SECRET}" }\nname: ["${key}"]\n`,
    { SECRET: 'hunter2hunter2' },
  )
  expect(message).toContain(
    `mint.url is text of 14 characters (from \${SECRET}), expected an http or https URL`,
  )
  expect(message).toContain('mint.apiKey is text of')
  expect(message).not.toMatch(/hunter2|ac_live_/)
})
