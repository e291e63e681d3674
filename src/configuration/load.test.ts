import { join } from 'node:path'
import { expect, test } from 'vitest'
import { defaultLimits } from '../base/http/limits.ts'
import { loadConfiguration, resolveConfiguration } from './load.ts'
import { complaint, key, load, mint, profile } from './testing/load.ts'

test('a valid file keeps the command that prints a session that has ended', async () => {
  const { backend } = await load(`
backend:
  url: https://shop.example.com/calling/token
  sessions:
    expired: { token: { command: printf expired-1 } }
    signedOut: { token: signed-out-1 }
`)
  expect(backend?.sessions).toEqual({
    expired: { token: 'expired-1', command: 'printf expired-1' },
    signedOut: { token: 'signed-out-1' },
  })
})

test('a valid file takes a session that lives for a day', async () => {
  const token = '{ command: printf session-1, freshEverySeconds: 80000 }'
  const { backend } = await load(`
backend:
  url: https://shop.example.com/calling/token
  sessions: { alice: { token: ${token}, userId: u-alice } }
`)
  expect(backend?.sessions?.alice?.token).toBe('session-1')
})

test('a valid file fills in a profile', async () => {
  const { signaling } = await load(profile)
  expect(signaling?.access).toEqual({
    profile: {
      carriage: { in: 'header', name: 'Authorization', template: 'Bearer {jwt}' },
      declaredUser: { in: 'none' },
      success: [{ frame: { path: '$.type', equals: 'welcome' } }],
      failure: [],
      unauthorized: [],
      samples: {},
      timeoutMs: 8000,
      settleMs: 300,
    },
  })
})

test('a valid file is named after its folder where it has no name', async () => {
  const { name, directory } = await load('absent: []\n')
  expect(directory.endsWith(name)).toBe(true)
})

test.each([
  [
    'empty',
    '',
    'twotoken.yaml is empty, expected a mapping such as "mint:": create one with "npx twotoken init"',
  ],
  ['a comment only', '# nothing\n', 'twotoken.yaml is empty'],
  ['a list', '- a\n', 'twotoken.yaml contains a list, expected a mapping'],
  ['a word', 'mint\n', 'twotoken.yaml contains a single value, expected a mapping'],
  ['an open bracket', 'name: [a\n', 'twotoken.yaml:2:1: the line does not match the indentation'],
  ['a tab', 'mint:\n\turl: x\n', 'twotoken.yaml:2:1: the line is indented with a tab'],
  ['a key twice', 'name: a\nname: b\n', 'twotoken.yaml:2:1: the line repeats a key'],
  ['two documents', 'name: a\n---\nname: b\n', 'twotoken.yaml:2:1: the line begins a second document'],
  ['a nested colon', 'name: a: b\n', 'twotoken.yaml:1:7: the line contains a second ": "'],
  ['an unquoted variable in braces', `mint: { apiKey: \${KEY} }\n`, `write "\${NAME}" in quotes`],
  ['an unknown tag', 'name: !vault abc\n', 'twotoken.yaml:1:7: the line contains an unknown tag'],
  ['an alias of nothing', 'name: *other\n', 'twotoken.yaml contains an alias that cannot be resolved'],
  ['an endless alias', 'absent: &a [*a]\n', 'twotoken.yaml contains an alias that cannot be resolved'],
  ['bytes that are no UTF-8', Uint8Array.of(0x6e, 0xff, 0xfe), 'twotoken.yaml is not UTF-8 text'],
])('a file that is no configuration is refused when it holds %s', async (_, text, expected) => {
  const { code, message } = await complaint(text)
  expect(code).toBe('configuration')
  expect(message).toContain(expected)
  expect(message).not.toContain('\n')
})

test.each([
  ['absent.yaml', 'the file does not exist'],
  ['.', 'it is a folder'],
])('a file that is no configuration is refused when %s cannot be read', async (name, reason) => {
  await expect(loadConfiguration(join(import.meta.dirname, name), {})).rejects.toMatchObject({
    code: 'configuration',
    message: expect.stringContaining(reason),
  })
})

test('a configuration made in memory is resolved like a file, relative to the folder given', async () => {
  const configuration = await resolveConfiguration(
    { name: undefined, tls: { ca: 'ca.pem' } },
    { directory: '/srv/acme', environment: { HTTPS_PROXY: 'http://proxy.example:3128' } },
  )
  expect(configuration).toMatchObject({
    name: 'acme',
    directory: '/srv/acme',
    limits: defaultLimits,
    tls: { ca: '/srv/acme/ca.pem' },
    proxy: { secure: 'http://proxy.example:3128', bypass: [] },
  })
})

test('a configuration made in memory is refused with paths alone', async () => {
  await expect(
    resolveConfiguration({ mint: { url: 'x' } }, { directory: '/', environment: {} }),
  ).rejects.toMatchObject({
    message: expect.stringMatching(
      /^2 problems in the configuration:\nmint\.url is .*\nmint\.apiKey is missing/,
    ),
  })
})

test('a configuration made in memory is refused when it is no mapping', async () => {
  await expect(resolveConfiguration(7, { directory: '/', environment: {} })).rejects.toMatchObject({
    message: 'the configuration is the number 7, expected a mapping: change it',
  })
})

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
