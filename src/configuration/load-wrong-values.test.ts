import { describe, expect, it } from 'vitest'
import { complaint, key, mint, profile } from './testing/load.ts'

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
      'client: { url: https://a.b, driver: ./d.mjs, users: { alice: { password: 7 } } }',
      'client.users.alice.password is one character, which no report could hide',
    ],
    ['client: { observe: {} }', 'client.observe needs proxy or listen, and only one of the two'],
    [
      'client: { observe: { proxy: "0.0.0.0:9451", listen: "127.0.0.1:9450" } }',
      'client.observe needs proxy or listen, and only one of the two',
    ],
    [
      'client: { observe: { proxy: "9451" } }',
      'client.observe.proxy is text of 4 characters, expected host:port',
    ],
    [
      'client: { observe: { proxy: "0.0.0.0:9451", forwardUnread: ["*.com"] } }',
      'client.observe.forwardUnread[0] is text of 5 characters, expected a host such as',
    ],
    [
      'client: { observe: { listen: "127.0.0.1:9450", forwardUnread: [a.example] } }',
      'client.observe.forwardUnread needs client.observe.proxy: add it, or remove this',
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
    ['start: { readyTimeoutSeconds: 5 }', 'start has 0 ways to start'],
    ['start: { compose: a.yml, command: b }', 'start has 2 ways to start'],
    [
      'absent:\n  - { what: trail, reason: r }',
      '2: absent[0].what is "trail", expected one of backend, trial',
    ],
    ['absent: trial', 'absent is text of 5 characters, expected a list of { what: …, reason: … }'],
    [
      'limits: { requestSeconds: 0 }',
      'limits.requestSeconds is the number 0, expected a number of seconds above 0',
    ],
    [
      'limits: { requestSeconds: 10000 }',
      'limits.requestSeconds is the number 10000, expected at most 3600 seconds, and no milliseconds',
    ],
    [
      'limits: { leewayFailSeconds: 300000 }',
      'limits.leewayFailSeconds is the number 300000, expected at most 3600 seconds, and no milliseconds',
    ],
    [
      'limits: { requestSeconds: 3600 }\nname: 12',
      '2: name is the number 12, expected text: put it in quotes',
    ],
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
      'carriage.template is missing, expected text that contains {jwt}',
    ],
    ['carriage', '{ in: header, name: A, template: "Bearer {token}" }', 'expected text that contains {jwt}'],
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
    [
      'carriage',
      `{ in: message, template: '{"token":"{jwt}","user":"{user}"}' }`,
      'carriage.template has the placeholder {user}, which would be sent as it is: write {jwt} or {userId}',
    ],
    ['success', '[]', 'success is a list, expected at least one sign of success'],
    [
      'success',
      '[ { frame: { path: type, equals: a } } ]',
      'success[0].frame.path is text of 4 characters, expected a JSONPath',
    ],
    ['success', '[ { frame: { path: $.a } } ]', 'success[0].frame.equals is missing'],
    ['success', '[ { quietOpenMs: 9000 } ]', 'success[0].quietOpenMs is 9000, not below timeoutMs (8000)'],
    ['success', '[ { htp: [401] } ]', 'success[0].htp is an unknown key'],
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
    ['failure: [ { htp: [401] } ]', 'failure[0].htp is an unknown key; did you mean "http"'],
    ['failure: [ { http: [401], close: [4401] } ]', 'cannot be combined with the other keys here'],
    ['failure: [ { http: 401 } ]', 'failure[0].http is the number 401, expected a list such as [401, 403]'],
    [
      'failure: [ { close: [401] } ]',
      'failure[0].close[0] is the number 401, expected a close code from 1000 to 4999',
    ],
    [
      'declaredUser: { in: carriage }',
      'declaredUser is carriage, but no template of the carriage contains {userId}',
    ],
    [
      'declaredUser: { in: message, template: x }',
      'declaredUser.template is text of 1 characters, expected text that contains',
    ],
    [
      'headers: { X-User: "{userId}" }',
      'headers.X-User has the placeholder {userId}, which would be sent as it is: nothing is filled in here',
    ],
    [
      `opening: [ '{"auth":"{ticket}"}' ]`,
      'opening[0] has the placeholder {ticket}, which would be sent as it is',
    ],
    [
      'path: "/{session}/{random}"',
      'path has the placeholder {session}, which would be sent as it is: write {random}',
    ],
    [
      `declaredUser: { in: message, template: '{"user":"{userId}","key":"{user_id}"}' }`,
      'declaredUser.template has the placeholder {user_id}, which would be sent as it is: write {jwt} or {userId}',
    ],
    ['timeoutMs: 0', 'timeoutMs is the number 0, expected a whole number of milliseconds above 0'],
    ['binary: hex', 'binary is "hex", expected base64'],
    ['binary: base64\n    opening: [hello]', 'opening[0] has no base64 at character 1'],
    ["binary: base64\n    again: 'hello{jwt}'", 'again has no base64 at character 1'],
    ['binary: base64\n    samples: { unauthorized: "{u8:AA==}" }', 'samples.unauthorized has a placeholder'],
    [
      'binary: base64\n    failure: [{ text: { startsWith: "+OK" } }]',
      'failure[0].text.startsWith has no base64',
    ],
  ])('is named in the profile: %s', async (line, expected) => {
    const { message } = await complaint(`${profile.trimEnd()}\n    ${line}\n`)
    expect(message).toContain(expected)
    expect(message).not.toContain('\n')
  })

  it('is an adapter beside a profile', async () => {
    const { message } = await complaint(`${profile}  adapter: ./a.mjs\n`)
    expect(message).toContain(
      'twotoken.yaml:7: signaling.adapter cannot be combined with a profile: remove one of the two',
    )
  })
})
