import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultLimits } from './configuration.ts'
import { loadConfiguration, resolveConfiguration } from './load.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'twotoken-configuration-'))
})
afterAll(() => rm(directory, { recursive: true }))

const key = `ac_live_${'k'.repeat(40)}`

async function load(text: string | Uint8Array, environment: NodeJS.ProcessEnv = {}) {
  const file = join(directory, 'twotoken.yaml')
  await writeFile(file, text)
  return loadConfiguration(file, environment)
}

/** What loading complains about, with the folder left out. */
async function complaint(text: string | Uint8Array, environment: NodeJS.ProcessEnv = {}) {
  const error: unknown = await load(text, environment).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ name: 'TwotokenError' })
  const { code, message } = error as { code: string; message: string }
  return { code, message: message.replaceAll(`${directory}/`, '') }
}

const profile = `
signaling:
  url: wss://signal.example.com/ws
  profile:
    carriage: { in: header, name: Authorization, template: "Bearer {jwt}" }
    success: [ { frame: { path: $.type, equals: welcome } } ]
`

describe('a valid file', () => {
  it('gives every part with paths made absolute and defaults filled in', async () => {
    const configuration = await load(
      `
name: staging
mint:
  url: https://api.example.com/base/
  apiKey: \${KEY}
  keys: { trialEnded: "\${KEY}", suspended: { key: "\${KEY}", attested: true } }
backend:
  url: https://shop.example.com/calling/token
  sessions: { alice: { token: "\${SESSION}", userId: u-alice } }
  fakeMint: { listen: "[::1]:9400", apiKey: "\${KEY}" }
signaling: { url: wss://signal.example.com, adapter: ./adapter.mjs }
token: { jwks: ./jwks.json, signWith: { alg: RS256, privateKey: test-key.pem } }
client:
  url: http://127.0.0.1:5173
  driver: ./driver.mjs
  users: { alice: { userId: u-alice, pin: 12 } }
bundle: { paths: [ dist, /absolute/app.aab ], mintHost: "api.example.com:8443" }
start: { containers: { backend: { image: shop, port: 8080, env: { PORT: 8080 }, health: /up } } }
absent: [ { what: trial, reason: paid only } ]
limits: { requestSeconds: "\${SECONDS}" }
tls: { ca: ./ca.pem }
waivers: [ { id: SIG-08, reason: later, expires: 2027-03-31 } ]
`,
      { KEY: key, SESSION: 'session-1', SECONDS: '2.5' },
    )
    expect(configuration).toEqual({
      name: 'staging',
      directory,
      mint: {
        url: 'https://api.example.com/base',
        apiKey: key,
        keys: { trialEnded: { key, attested: false }, suspended: { key, attested: true } },
        minTtlSeconds: 60,
      },
      backend: {
        url: 'https://shop.example.com/calling/token',
        method: 'POST',
        sessions: { alice: { token: 'session-1', userId: 'u-alice' } },
        fakeMint: { host: '::1', port: 9400, tls: false, apiKey: key },
      },
      signaling: {
        url: 'wss://signal.example.com',
        allowInsecureTransport: false,
        access: { adapter: join(directory, 'adapter.mjs') },
      },
      token: {
        field: 'auto',
        userIdClaim: 'auto',
        jwks: join(directory, 'jwks.json'),
        signWith: { alg: 'RS256', privateKey: join(directory, 'test-key.pem') },
      },
      client: {
        url: 'http://127.0.0.1:5173',
        driver: join(directory, 'driver.mjs'),
        tls: false,
        ownHosts: [],
        users: { alice: { userId: 'u-alice', pin: 12 } },
      },
      bundle: { paths: [join(directory, 'dist'), '/absolute/app.aab'], mintHost: 'api.example.com:8443' },
      start: {
        readyTimeoutSeconds: 60,
        containers: { backend: { image: 'shop', port: 8080, env: { PORT: '8080' }, health: '/up' } },
      },
      absent: [{ what: 'trial', reason: 'paid only' }],
      limits: { ...defaultLimits, requestSeconds: 2.5 },
      tls: { ca: join(directory, 'ca.pem') },
      waivers: [{ id: 'SIG-08', reason: 'later', expires: '2027-03-31' }],
    })
  })

  it('fills in a profile', async () => {
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

  it.each([
    '{ in: subprotocol, protocols: [ calling.v2, "base64url.bearer.{jwt}" ] }',
    '{ in: query, name: access_token }',
    '{ in: cookie, name: calling_token }',
    `{ in: message, template: '{"type":"auth","token":"{jwt}","userId":"{userId}"}', after: open }`,
    '{ in: message, template: "AUTH {jwt}", after: { frame: { path: $.type, equals: hello } } }',
  ])('takes the carriage %s', async (carriage) => {
    const { signaling } = await load(profile.replace(/carriage: .*/, `carriage: ${carriage}`))
    expect(signaling?.access).toHaveProperty('profile.carriage.in')
  })

  it('takes signs of every kind and a declared user of every kind', async () => {
    const signs = `
    failure: [ { http: [401, 403] }, { close: [4401] }, { frame: { path: "$['a'][0]", equals: null } } ]
    unauthorized: []
    declaredUser: { in: query, name: as }
`
    const quiet = profile.replace(/success: .*/, 'success: [ { quietOpenMs: 800 } ]')
    const { signaling } = await load(quiet.trimEnd() + signs)
    expect(signaling?.access).toMatchObject({
      profile: { success: [{ quietOpenMs: 800 }], declaredUser: { in: 'query', name: 'as' } },
    })
  })

  it('is named after its folder where it has no name', async () => {
    const { name } = await load('absent: []\n')
    expect(directory.endsWith(name)).toBe(true)
  })
})

describe('a file that is no configuration', () => {
  it.each([
    [
      'empty',
      '',
      'twotoken.yaml is empty, expected a mapping such as "mint:": write one with "twotoken init"',
    ],
    ['a comment only', '# nothing\n', 'twotoken.yaml is empty'],
    ['a list', '- a\n', 'twotoken.yaml holds a list, expected a mapping'],
    ['a word', 'mint\n', 'twotoken.yaml holds a single value, expected a mapping'],
    ['an open bracket', 'name: [a\n', 'twotoken.yaml:2:1: the line is indented'],
    ['a tab', 'mint:\n\turl: x\n', 'twotoken.yaml:2:1: the line is indented with a tab'],
    ['a key twice', 'name: a\nname: b\n', 'twotoken.yaml:2:1: the line holds a key for the second time'],
    ['two documents', 'name: a\n---\nname: b\n', 'twotoken.yaml:2:1: the line begins a second document'],
    ['a nested colon', 'name: a: b\n', 'twotoken.yaml:1:7: the line holds a second ": "'],
    ['an unquoted variable in braces', `mint: { apiKey: \${KEY} }\n`, `write "\${NAME}" in quotes`],
    ['an unknown tag', 'name: !vault abc\n', 'twotoken.yaml:1:7: the line holds a tag'],
    ['an alias of nothing', 'name: *other\n', 'twotoken.yaml holds an alias that cannot be resolved'],
    ['an endless alias', 'absent: &a [*a]\n', 'twotoken.yaml holds an alias that cannot be resolved'],
    ['bytes that are no UTF-8', Uint8Array.of(0x6e, 0xff, 0xfe), 'twotoken.yaml is not UTF-8 text'],
  ])('is refused when it holds %s', async (_, text, expected) => {
    const { code, message } = await complaint(text)
    expect(code).toBe('configuration')
    expect(message).toContain(expected)
    expect(message).not.toContain('\n')
  })

  it.each([
    ['absent.yaml', 'there is no such file'],
    ['.', 'it is a folder'],
  ])('is refused when %s cannot be read', async (name, reason) => {
    await expect(loadConfiguration(join(directory, name), {})).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(reason),
    })
  })
})

const mint = (lines: string) => `mint:\n  url: https://api.example.com\n  apiKey: \${KEY}\n${lines}`

describe('a value that is wrong', () => {
  it.each([
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
    ['mint: yes', '1: mint is text of 3 characters, expected a mapping'],
    ['mint: [a]', '1: mint is a list, expected a mapping'],
    ['name: 12', '1: name is the number 12, expected text: put it in quotes'],
    [
      'mint:\n  url: https://a.b\n  apiKey: 12345678',
      `3: mint.apiKey is a number, expected text, \${NAME} or { command`,
    ],
    [
      mint('  minTtlSeconds: -1'),
      '4: mint.minTtlSeconds is the number -1, expected a whole number of seconds',
    ],
    [mint('  minTtlSeconds: soon'), '4: mint.minTtlSeconds is text of 4 characters, expected a whole number'],
    [mint('  minTtlSeconds: 1.5'), '4: mint.minTtlSeconds is the number 1.5, expected a whole number'],
    [
      mint(`  keys:\n    capped: { key: "\${KEY}", attested: perhaps }`),
      '5: mint.keys.capped.attested is text of 7',
    ],
    [
      'backend: { url: "https://a.b", method: PUT }',
      '1: backend.method is "PUT", expected POST or GET: change it',
    ],
    [
      'backend: { url: "https://a.b", sessions: { bob: { token: t } } }',
      'backend.sessions.bob.userId is missing',
    ],
    [
      'backend:\n  url: https://a.b\n  fakeMint: { listen: "9400", apiKey: k }',
      '3: backend.fakeMint.listen is text',
    ],
    ['backend:\n  url: https://a.b\n  fakeMint: { listen: "a:70000", apiKey: k }', 'a port from 1 to 65535'],
    ['signaling: { url: "https://a.b" }', 'signaling.url is text of 11 characters, expected a wss or ws URL'],
    [
      'token: { field: token }',
      'token.field is text of 5 characters, expected auto or a JSONPath such as $.data.token',
    ],
    [
      'token: { userIdClaim: "$." }',
      'token.userIdClaim is text of 2 characters, expected auto, the name of a claim',
    ],
    [
      'token: { jwks: "ftp://a.b/jwks" }',
      'token.jwks is text of 14 characters, expected an http or https URL',
    ],
    [
      'token: { signWith: { alg: RS265, privateKey: k.pem } }',
      'token.signWith.alg is "RS265", expected RS, PS or ES',
    ],
    [
      'token: { signWith: { alg: HS256, privateKey: k.pem } }',
      'token.signWith.alg is "HS256", expected RS, PS or ES',
    ],
    [
      'token: { signWith: { alg: RS256 } }',
      'token.signWith is a mapping, expected { alg: …, privateKey: … } or',
    ],
    ['bundle: { paths: [] }', 'bundle.paths is a list, expected at least one path'],
    [
      'bundle: { paths: [dist], mintHost: "https://a.b" }',
      'bundle.mintHost is text of 11 characters, expected a host',
    ],
    ['start: { readyTimeoutSeconds: 5 }', 'start names 0 ways to start'],
    ['start: { compose: a.yml, command: b }', 'start names 2 ways to start'],
    [
      'absent:\n  - { what: trail, reason: r }',
      '2: absent[0].what is "trail", expected one of trial, mintCap',
    ],
    ['absent: trial', 'absent is text of 5 characters, expected a list of { what: …, reason: … }'],
    [
      'limits: { requestSeconds: 0 }',
      'limits.requestSeconds is the number 0, expected a number of seconds above 0',
    ],
    ['limits: { requestSeconds: 9999999 }', 'expected at most 2147483 seconds'],
    ['limits: { leewayWarnSeconds: 400 }', 'limits.leewayWarnSeconds is 400, above leewayFailSeconds (300)'],
    [
      'waivers: [ { id: sig-8, reason: r } ]',
      "waivers[0].id is text of 5 characters, expected a requirement's id",
    ],
    ['waivers: [ { id: SIG-08, reason: r, expires: 2027-02-30 } ]', 'expected a date such as 2027-03-31'],
  ])('is named: %s', async (text, expected) => {
    const { message } = await complaint(text, { KEY: key })
    expect(message).toContain(expected)
    expect(message).not.toContain('\n')
  })

  it.each([
    [
      'carriage',
      '{ in: body, name: x }',
      'carriage.in is "body", expected header, subprotocol, query, cookie or message',
    ],
    [
      'carriage',
      '{ in: header, name: Authorization }',
      'carriage.template is missing, expected text that holds {jwt}',
    ],
    ['carriage', '{ in: header, name: A, template: "Bearer {token}" }', 'expected text that holds {jwt}'],
    [
      'carriage',
      '{ in: header, name: "a b", template: "{jwt}" }',
      'carriage.name is text of 3 characters, expected a name',
    ],
    [
      'carriage',
      '{ in: subprotocol, protocols: [ a ] }',
      'carriage.protocols is a list, expected a list with {jwt}',
    ],
    [
      'carriage',
      '{ in: subprotocol, protocols: [ "a b", "{jwt}" ] }',
      'carriage.protocols[0] is text of 3 characters',
    ],
    ['carriage', '{ in: subprotocol, protocols: [ "{jwt}", "{jwt}" ] }', 'names each subprotocol once'],
    [
      'carriage',
      '{ in: message, template: "hi" }',
      'carriage.template is text of 2 characters, expected text that',
    ],
    [
      'carriage',
      '{ in: message, template: "{jwt}", after: close }',
      'carriage.after is "close", expected open,',
    ],
    ['success', '[]', 'success is a list, expected at least one sign of success'],
    [
      'success',
      '[ { frame: { path: type, equals: a } } ]',
      'success[0].frame.path is text of 4 characters, expected a JSONPath',
    ],
    ['success', '[ { frame: { path: $.a } } ]', 'success[0].frame.equals is missing'],
    [
      'success',
      '[ { quietOpenMs: 9000 } ]',
      'success[0].quietOpenMs is 9000, which timeoutMs (8000) never allows',
    ],
    ['success', '[ { htp: [401] } ]', 'success[0].htp is not a known key'],
    [
      'success',
      '[ {} ]',
      'success[0] is a mapping, expected one of { frame: … }, { text: … } and { quietOpenMs: … }',
    ],
  ])('is named in the profile: %s: %s', async (name, value, expected) => {
    const { message } = await complaint(profile.replace(new RegExp(`${name}: .*`), `${name}: ${value}`))
    expect(message).toContain(
      `signaling.profile.${expected}`.replace(/^signaling\.profile\.(expected|names)/, '$1'),
    )
    expect(message).not.toContain('\n')
  })

  it.each([
    ['failure: [ { htp: [401] } ]', 'failure[0].htp is not a known key, the nearest known one is "http"'],
    ['failure: [ { http: [401], close: [4401] } ]', 'cannot stand beside the other keys here'],
    ['failure: [ { http: 401 } ]', 'failure[0].http is the number 401, expected a list such as [401, 403]'],
    [
      'failure: [ { close: [401] } ]',
      'failure[0].close[0] is the number 401, expected a close code from 1000 to 4999',
    ],
    [
      'declaredUser: { in: carriage }',
      'declaredUser says carriage, but no template of the carriage holds {userId}',
    ],
    [
      'declaredUser: { in: message, template: x }',
      'declaredUser.template is text of 1 characters, expected text that holds',
    ],
    ['timeoutMs: 0', 'timeoutMs is the number 0, expected a whole number of milliseconds above 0'],
  ])('is named in the profile: %s', async (line, expected) => {
    const { message } = await complaint(`${profile.trimEnd()}\n    ${line}\n`)
    expect(message).toContain(expected)
    expect(message).not.toContain('\n')
  })

  it('is an adapter beside a profile', async () => {
    const { message } = await complaint(`${profile}  adapter: ./a.mjs\n`)
    expect(message).toContain(
      'twotoken.yaml:7: signaling.adapter stands beside a profile, expected only one of the two',
    )
  })
})

describe('an unknown key', () => {
  it.each([
    ['mnt: {}', '1: mnt is not a known key, the nearest known one is "mint": rename or remove it'],
    [mint('  apikey: x'), '4: mint.apikey is not a known key, the nearest known one is "apiKey"'],
    [
      mint(`  keys: { trialended: "\${KEY}" }`),
      'mint.keys.trialended is not a known key, the nearest known one is "trialEnded"',
    ],
    [
      mint(`  keys: { capped: { key: "\${KEY}", atested: true } }`),
      'mint.keys.capped.atested is not a known key, the nearest known one is "attested"',
    ],
    [
      mint('  keys: { capped: { comand: x } }'),
      'mint.keys.capped.comand is not a known key, the nearest known one is "command"',
    ],
    [
      'limits: { requestSecond: 3 }',
      'limits.requestSecond is not a known key, the nearest known one is "requestSeconds"',
    ],
    [
      'absent: [ { waht: trial, reason: r } ]',
      'absent[0].waht is not a known key, the nearest known one is "what"',
    ],
  ])('is named with the nearest known one: %s', async (text, expected) => {
    const { message } = await complaint(text, { KEY: key })
    expect(message).toContain(expected)
  })

  it('shows nothing of a credential that was written as a key', async () => {
    const { message } = await complaint(`mint:\n  url: https://a.b\n  apiKey: { ${key}: }\n  ${key}: x\n`)
    expect(message).toContain('mint.apiKey holds an unknown key of 48 characters')
    expect(message).not.toContain(key)
  })
})

describe('all problems', () => {
  it('are reported together in the order of their lines', async () => {
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

  it('show no value of a credential or of the environment', async () => {
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
})

describe('a configuration made in memory', () => {
  it('is resolved like a file, relative to the folder given', async () => {
    const configuration = await resolveConfiguration(
      { name: undefined, tls: { ca: 'ca.pem' } },
      { directory: '/srv/acme', environment: {} },
    )
    expect(configuration).toEqual({
      name: 'acme',
      directory: '/srv/acme',
      token: { field: 'auto', userIdClaim: 'auto' },
      absent: [],
      limits: defaultLimits,
      tls: { ca: '/srv/acme/ca.pem' },
      waivers: [],
    })
  })

  it('is refused with paths alone', async () => {
    await expect(
      resolveConfiguration({ mint: { url: 'x' } }, { directory: '/', environment: {} }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(
        /^2 problems in the configuration:\nmint\.url is .*\nmint\.apiKey is missing/,
      ),
    })
  })

  it('is refused when it is no mapping', async () => {
    await expect(resolveConfiguration(7, { directory: '/', environment: {} })).rejects.toMatchObject({
      message: 'the configuration is the number 7, expected a mapping: change it',
    })
  })
})
