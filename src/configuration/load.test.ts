import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../base/http/limits.ts'
import { loadConfiguration, resolveConfiguration } from './load.ts'
import { complaint, key, load, profile } from './testing/load.ts'

describe('a valid file', () => {
  it('keeps the command that prints a session that has ended', async () => {
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

  it('takes a session that lives for a day', async () => {
    const token = '{ command: printf session-1, freshEverySeconds: 80000 }'
    const { backend } = await load(`
backend:
  url: https://shop.example.com/calling/token
  sessions: { alice: { token: ${token}, userId: u-alice } }
`)
    expect(backend?.sessions?.alice?.token).toBe('session-1')
  })

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
    const { directory } = configuration
    expect(configuration).toEqual({
      name: 'staging',
      directory,
      hooks: {},
      logs: [],
      stories: [],
      environment: [],
      referredVariables: ['KEY', 'SECONDS', 'SESSION'],
      outsideTexts: [key, 'session-1', '2.5'],
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
        serviceHosts: [],
        users: { alice: { userId: 'u-alice', pin: 12 } },
      },
      bundle: { paths: [join(directory, 'dist'), '/absolute/app.aab'], mintHost: 'api.example.com:8443' },
      start: {
        readyTimeoutSeconds: 60,
        containers: {
          backend: {
            image: 'shop',
            port: 8080,
            env: { PORT: '8080' },
            health: '/up',
            capabilities: [],
            memoryMegabytes: 2048,
          },
        },
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
    const { name, directory } = await load('absent: []\n')
    expect(directory.endsWith(name)).toBe(true)
  })
})

describe('a file that is no configuration', () => {
  it.each([
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
  ])('is refused when it holds %s', async (_, text, expected) => {
    const { code, message } = await complaint(text)
    expect(code).toBe('configuration')
    expect(message).toContain(expected)
    expect(message).not.toContain('\n')
  })

  it.each([
    ['absent.yaml', 'the file does not exist'],
    ['.', 'it is a folder'],
  ])('is refused when %s cannot be read', async (name, reason) => {
    await expect(loadConfiguration(join(import.meta.dirname, name), {})).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringContaining(reason),
    })
  })
})

describe('a configuration made in memory', () => {
  it('is resolved like a file, relative to the folder given', async () => {
    const configuration = await resolveConfiguration(
      { name: undefined, tls: { ca: 'ca.pem' } },
      { directory: '/srv/acme', environment: {} },
    )
    expect(configuration).toMatchObject({
      name: 'acme',
      directory: '/srv/acme',
      limits: defaultLimits,
      tls: { ca: '/srv/acme/ca.pem' },
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
