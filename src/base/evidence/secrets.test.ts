import { expect, test } from 'vitest'
import { readSecretLabels, replaceSecretLabels, type ShownKind, writeSecretLabel } from './secret-label.ts'
import { createSecrets, processSecrets } from './secrets.ts'

const key = 'ac_live_4f9aB27cD1e80GhT55kLmN'
const session = 'sess/with+odd=signs&more'
const jwt = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from('{"sub":"u"}').toString('base64url')}.c2lnbmF0dXJl`

function secretsOf(...sessions: string[]) {
  return createSecrets(
    undefined,
    sessions.map((secret) => ({ kind: 'session', secret })),
  )
}

// Each kind once: one that is missing does not compile.
const kinds = Object.keys({
  'api-key': 0,
  session: 0,
  'calling-jwt': 0,
  'forged-jwt': 0,
  secret: 0,
  jwt: 0,
} satisfies Record<ShownKind, 0>) as ShownKind[]

test.each(kinds)('reads the label of a %s as it is written', (kind) => {
  for (const fingerprint of ['0123abcd', null]) {
    const text = `before ${writeSecretLabel({ kind, fingerprint }, 48)} after`
    expect(readSecretLabels(text)).toEqual([{ kind, fingerprint }])
    expect(replaceSecretLabels(text, (_, shown) => `<${shown}>`)).toBe(`before <${kind}> after`)
  }
})

test.each([
  ...['', 'k', 'ke'].flatMap((before) =>
    (['base64', 'base64url'] as const).map((encoding) => [
      `${encoding} at alignment ${before.length}`,
      Buffer.from(`${before}${session} and more`).toString(encoding),
    ]),
  ),
  ['hexadecimal', Buffer.from(session).toString('hex')],
])('a registered secret in %s is hidden but for its ends', (_, text) => {
  const shown = secretsOf(session).text(`before ${text} after`)
  expect(shown).toMatch(/^before \w{0,4}‹session, 24 characters, #[0-9a-f]{8}›[\w=]{0,16} after$/)
})

test.each([
  ['a key that is not registered', key],
  ['a token that is not registered', jwt],
  ['a token without a signature', `${jwt.split('.').slice(0, 2).join('.')}.`],
  ['a registered session', session],
  ['a percent-encoded session', encodeURIComponent(session)],
  ['a session in JSON', JSON.stringify({ a: 'pass"word\\1' })],
])('a text does not show %s', (_, secret) => {
  const shown = secretsOf(session, 'pass"word\\1').text(`before ${secret} after`)
  expect(shown).not.toMatch(/4f9a|eyJ|odd|word/)
  expect(shown).toMatch(/^before .*‹.*› ?.* after$/)
})

test('a text says the kind and the length, and distinguishes a secret from another', () => {
  const secrets = secretsOf(session)
  const shown = secrets.text(session)
  expect(shown).toMatch(/^‹session, 24 characters, #[0-9a-f]{8}›$/)
  expect(secrets.text(session)).toBe(shown)
  expect(secrets.text(key)).not.toBe(secrets.text(`${key}x`))
  expect(secretsOf().text(key)).not.toBe(secretsOf().text(key))
})

test('a text keeps what is no secret', () => {
  const text =
    'GET https://api.acme.example/api/v1/calling/token?x=%20 the prefix ac_live_ alone, u-alice, 9f86d081'
  expect(secretsOf(session).text(text)).toBe(text)
})

test('a text keeps a token at the end of a sentence apart from its full stop', () => {
  const secrets = secretsOf()
  secrets.register('calling-jwt', jwt)
  expect(secrets.text(`got ${jwt}.`)).toMatch(/^got ‹calling-jwt, \d+ characters, #\w+›\.$/)
})

test('a text has no label of a peer in it', () => {
  expect(secretsOf().text('‹session, 20 characters, #01234567›')).not.toContain('‹')
})

test.each([
  ['a token of the service', '{"refreshToken":"r-1f2e3d4c5b6a7980","expiresIn":900}', 'r-1f2e3d4c5b6a7980'],
  ['a short one', '{"access_token":"xyz"}', 'xyz'],
  ['a token in an array', '{"tokens":["first-token"]}', 'first-token'],
  ['a number', '{"pin":"4711","otpSecret":471108}', '471108'],
  ['a value in single quotes', "{'password': 'geheim'}", 'geheim'],
  ['JSON in JSON', JSON.stringify({ body: '{"apiKey":"xyz-123"}' }), 'xyz-123'],
  ['a value that is cut', '{"clientSecret":"cut-off-here', 'cut-off-here'],
  ['a parameter', 'https://api.acme.example/x?access_token=abc123&next=1', 'abc123'],
  ['a form', 'grant=refresh&refresh_token=zzz', 'zzz'],
  ['a password in an address', 'postgres://user:hunter2@db/x', 'hunter2'],
  ['a line of a header', 'GET / HTTP/1.1\nAuthorization: Bearer opaque-value\nHost: a', 'opaque-value'],
  ['a cookie in a log', '< Set-Cookie: sid=0b1c2d3e; HttpOnly', '0b1c2d3e'],
])('a text does not show %s, by the name of its field', (_, text, secret) => {
  expect(secretsOf(session).text(text)).not.toContain(secret)
})

test('a text keeps what is no credential', () => {
  const text =
    '{"userId":"u-alice","ttlSeconds":900,"tokenType":"Bearer","error":{"code":"invalid_token"},"token":"","session":null}'
  expect(secretsOf(session).text(text)).toBe(text)
  expect(secretsOf(session).text('Authorization: Bearer undefined')).toBe('Authorization: Bearer undefined')
})

test('headers show their scheme, their names of cookies, and nothing of a credential', () => {
  const secrets = secretsOf(session)
  const pairs = [
    ['authorization', 'Bearer abc'],
    ['cookie', 'theme=dark; sid=123456789'],
    ['set-cookie', 'sid=987654321; Path=/; HttpOnly'],
    ['x-session-id', '5'],
    ['accept', 'application/json'],
    [`x-${session}`, '1'],
  ] as const
  const shown = pairs.map(([name, value]) => secrets.header(name, value).join(': ').replace(/#\w+/g, '#'))
  expect(shown).toEqual([
    'authorization: Bearer ‹secret, 3 characters, #›',
    'cookie: theme=‹secret, 4 characters, #›; sid=‹secret, 9 characters, #›',
    'set-cookie: sid=‹secret, 9 characters, #›; Path=/; HttpOnly',
    'x-session-id: ‹secret, 1 characters, #›',
    'accept: application/json',
    'x-‹session, 24 characters, #›: 1',
  ])
})

test('shows no tail of a secret that begins with another secret', () => {
  const longer = `${session}-and-a-tail`
  for (const order of [
    [session, longer],
    [longer, session],
  ])
    expect(secretsOf(...order).text(`a ${longer} b ${session} c`)).toMatch(
      /^a ‹session, 35 characters, #\w+› b ‹session, 24 characters, #\w+› c$/,
    )
})

test.each([
  ['before', 0],
  ['after', 1],
])('a key that is a prefix of another key gets a separate label, registered %s it', (_, first) => {
  const short = 'ac_live_q7Wd0Zk3xTn5Rb8Ym1Lc'
  const long = `${short}Fd4Jx8Sv`
  const secrets = createSecrets()
  for (const one of first === 0 ? [short, long] : [long, short]) secrets.register('api-key', one)
  expect(secrets.text(short)).not.toBe(secrets.text(long))
  expect(secrets.text(long.slice(0, -2))).not.toMatch(/q7Wd|Fd4J|Ym1L/)
})

test('a secret of a run is hidden in what the process prints', () => {
  createSecrets().register('session', 'a-session-of-some-run')
  expect(processSecrets.printed('failed with a-session-of-some-run')).not.toContain('a-session')
})

test.each([
  'expected a 2xx status and { "token": "<calling JWT>" }',
  'a body { "token": "q8Zk3vWmX2pL7RtY" } and ?session=q8Zk3vWmX2pL7RtY',
  'cookie: sid=q8Zk3vWmX2pL7RtY; theme=dark',
])('a text that has passed stays as it is when it is printed: %s', (text) => {
  const secrets = secretsOf('q8Zk3vWmX2pL7RtY')
  const once = secrets.text(text)
  expect(secrets.printed(once)).toBe(once)
  expect(once).not.toContain('q8Zk')
})

test('repetitions, words and names that a peer issues are credentials in their fields, and nowhere else', () => {
  const secrets = createSecrets()
  for (const value of ['summary', 'MINT-05', 'a1'.repeat(32), 'a token that has spaces']) {
    secrets.learn('calling-jwt', value)
    expect(secrets.text(JSON.stringify({ token: value }))).not.toContain(value)
    expect(secrets.text(`saw ${value} there`)).toBe(`saw ${value} there`)
    expect(secrets.header('authorization', `Bearer ${value}`)[1]).toMatch(
      /^Bearer ‹calling-jwt, \d+ characters/,
    )
  }
})

test('a random credential of a peer is hidden wherever it comes again', () => {
  const secrets = createSecrets()
  for (const value of ['tok_0b1c2d3e4f5a6b7c', crypto.randomUUID(), 'qwhzkvbtrmxnplcdsfghjwqzk'])
    expect(secrets.text(`saw ${secrets.learn('calling-jwt', value)}`)).toMatch(
      /^saw ‹calling-jwt, \d+ characters/,
    )
})

test('a session that is a word stays a word in sentences and in what is printed, but for quotes', () => {
  const secrets = secretsOf('backend')
  expect(secrets.text('x-echo: backend')).toMatch(/^x-echo: ‹session/)
  expect(secrets.sentence('saw the backend answer "no backend here"')).toMatch(
    /^saw the backend answer "no ‹session, 7 characters, #\w+› here"$/,
  )
  expect(secrets.printed('the "backend" passed')).toBe('the "backend" passed')
})

test.each(['session-of-alice-4711', 'a-session-of-some-run', 'correct horse battery'])(
  'a session that no sentence has by chance is hidden in all of them: %s',
  (secret) => {
    const secrets = secretsOf(secret)
    for (const show of [secrets.text, secrets.sentence, secrets.printed])
      expect(show(`it said ${secret} once`)).toMatch(/^it said ‹session, \d+ characters, #\w+› once$/)
  },
)

test('a short secret is hidden where nothing else is around it', () => {
  const secrets = createSecrets()
  secrets.register('secret', '4711')
  expect(secrets.text('{"pin":4711} 14711')).toMatch(/^\{"pin":‹secret, 4 characters, #\w+›\} 14711$/)
})

const periodic = (characters: number) => 'a1'.repeat(characters / 2)
const manySessions = (count: number) =>
  Array.from({ length: count }, (_, index) => `${periodic(40 + 2 * index)}x${index}`)

test.each([
  ['that are alike', manySessions(200), periodic(20_000)],
  ['that are alike, and long', manySessions(200).map((one) => periodic(4000) + one), periodic(200_000)],
  [
    'of random letters',
    Array.from({ length: 2000 }, () => crypto.randomUUID()),
    'some-words-1 '.repeat(20_000),
  ],
])('many credentials %s are looked for in a large text at little cost', (_, secrets, text) => {
  const known = createSecrets()
  for (const secret of secrets) known.register('session', secret)
  expect(known.text(`${text} ${secrets.at(-1)}`)).not.toContain(secrets.at(-1))
})
