import { describe, expect, test } from 'vitest'
import { createRedactor, outgoing } from './redact.ts'
import { redactHeaders } from './redact-headers.ts'

const key = 'ac_live_4f9aB27cD1e80GhT55kLmN'
const session = 'sess/with+odd=signs&more'
const jwt = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from('{"sub":"u"}').toString('base64url')}.c2lnbmF0dXJl`

function redactorOf(...sessions: string[]) {
  const redactor = createRedactor()
  for (const secret of sessions) redactor.register('session', secret)
  return redactor
}

describe('text that passed the redactor', () => {
  test.each([
    ['a key that is not registered', key, key],
    ['a token that is not registered', jwt, jwt],
    ['a token without a signature', `${jwt.split('.').slice(0, 2).join('.')}.`, jwt.split('.')[1] ?? ''],
    ['a registered session', session, session],
    [
      'a key in base64',
      Buffer.from(`key=${key}`).toString('base64'),
      Buffer.from(`key=${key}`).toString('base64'),
    ],
    [
      'a key in base64, one byte off',
      Buffer.from(`k=${key}`).toString('base64'),
      Buffer.from(key).toString('base64').slice(4, 24),
    ],
    ['a key in hexadecimal', Buffer.from(key).toString('hex'), Buffer.from(key).toString('hex')],
    ['a percent-encoded key', [...key].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''), '%34%66%39'],
    ['a percent-encoded session', encodeURIComponent(session), encodeURIComponent(session)],
  ])('does not show %s', (_, secret, trace) => {
    const clean = redactorOf(session).text(`before ${secret} after`)
    expect(clean).not.toContain(trace)
    expect(clean).toMatch(/^before .*‹.*› after$/)
  })

  test('says the kind and the length, and tells the same secret apart from another', () => {
    const redactor = redactorOf(session)
    const shown = redactor.text(session)
    expect(shown).toMatch(/^‹session, 24 characters, #[0-9a-f]{8}›$/)
    expect(redactor.text(session)).toBe(shown)
    expect(redactor.text(key)).not.toBe(redactor.text(`${key}x`))
  })

  test('names what is encoded as it names the same in plain', () => {
    const redactor = redactorOf(session)
    for (const secret of [key, session, jwt]) {
      const name = redactor.text(secret).slice(1)
      expect(redactor.text(`x.${Buffer.from(secret).toString('base64url')}`)).toBe(`x.‹encoded ${name}`)
    }
  })

  test('keeps what is no secret', () => {
    const text =
      'GET https://api.acme.example/api/v1/calling/token?x=%20 the prefix ac_live_ alone, u-alice, 9f86d081'
    expect(redactorOf(session).text(text)).toBe(text)
  })

  test('does not show a token that stands behind a name that looks like one', () => {
    expect(redactorOf().text(`monkeybusiness.${jwt}`)).toMatch(
      /^monkeybusiness\.‹jwt, \d+ characters, #\w+›$/,
    )
  })

  test('does not change when it passes again', () => {
    const redactor = redactorOf(session)
    const once = redactor.text(`${key} ${jwt} ${session} ${Buffer.from(key).toString('base64')}`)
    expect(redactor.text(once)).toBe(once)
  })
})

test('two runs show the same secret differently', () => {
  expect(createRedactor().text(key)).not.toBe(createRedactor().text(key))
})

describe('text that a peer sent', () => {
  const shown = (text: string, characters?: number) => redactorOf(session).received(text, characters)

  test.each([
    ['a token of the service', '{"refreshToken":"r-1f2e3d4c5b6a7980","expiresIn":900}', 'r-1f2e3d4c5b6a7980'],
    ['a short one', '{"access_token":"xyz"}', 'xyz'],
    ['a token in an array', '{"tokens":["first-token","second"]}', 'second'],
    ['a token in an object', '{"session":{"id":"s-9","user":"u"}}', 's-9'],
    ['a number', '{"pin":"4711","otpSecret":471108}', '471108'],
    ['a value in single quotes', "{'password': 'geheim'}", 'geheim'],
    ['JSON in JSON', JSON.stringify({ body: '{"apiKey":"xyz-123"}' }), 'xyz-123'],
    ['a value that is cut', '{"clientSecret":"cut-off-here', 'cut-off-here'],
    ['a parameter', 'https://api.acme.example/x?access_token=abc123&next=1', 'abc123'],
    ['a form', 'grant=refresh&refresh_token=zzz', 'zzz'],
    ['a password in an address', 'postgres://user:hunter2@db/x', 'hunter2'],
    ['a line of a header', 'GET / HTTP/1.1\nAuthorization: Bearer opaque-value\nHost: a', 'opaque-value'],
    ['a cookie in a log', '< Set-Cookie: sid=0b1c2d3e; HttpOnly', '0b1c2d3e'],
  ])('does not show %s', (_, text, secret) => {
    expect(shown(text)).not.toContain(secret)
  })

  test('keeps what is no credential', () => {
    const text =
      '{"userId":"u-alice","ttlSeconds":900,"tokenType":"Bearer","error":{"code":"invalid_token"},"token":"","session":null}'
    expect(shown(text)).toBe(text)
    expect(shown('Authorization: Bearer undefined')).toBe('Authorization: Bearer undefined')
  })

  test('hides what the service made wherever it comes again', () => {
    const redactor = createRedactor()
    redactor.field('set-cookie', 'id=0b1c2d3e4f5a6b7c8d9e; Path=/')
    expect(redactor.text('saw 0b1c2d3e4f5a6b7c8d9e')).toMatch(/^saw ‹secret, 20 characters, #\w+›$/)
  })

  test('headers show their scheme, their names of cookies, and nothing of a credential', () => {
    const redactor = redactorOf(session)
    const clean = redactHeaders(
      [
        ['authorization', 'Bearer abc'],
        ['cookie', 'theme=dark; sid=123456789'],
        ['set-cookie', 'sid=987654321; Path=/; HttpOnly'],
        ['x-session-id', '5'],
        ['accept', 'application/json'],
        [`x-${session.toLowerCase()}`, '1'],
      ],
      redactor,
    )
    expect(clean.map((pair) => pair.join(': ').replace(/#\w+/g, '#'))).toEqual([
      'authorization: Bearer ‹secret, 3 characters, #›',
      'cookie: theme=‹secret, 4 characters, #›; sid=‹secret, 9 characters, #›',
      'set-cookie: sid=‹secret, 9 characters, #›; Path=/; HttpOnly',
      'x-session-id: ‹secret, 1 characters, #›',
      'accept: application/json',
      'x-‹session, 24 characters, #›: 1',
    ])
  })

  test.each(Array.from({ length: session.length + 2 }, (_, index) => index))(
    'is hidden whole where the record ends %d characters into it',
    (inside) => {
      const text = `${'x'.repeat(100)} ${session} and more`
      const clean = shown(text, 101 + inside)
      for (let length = 6; length <= session.length; length += 1)
        expect(clean).not.toContain(session.slice(0, length))
    },
  )
})

test('shows no tail of a secret that begins with another secret', () => {
  const longer = `${session}-and-a-tail`
  for (const order of [
    [session, longer],
    [longer, session],
  ]) {
    const clean = redactorOf(...order).text(`a ${longer} b ${session} c`)
    expect(clean).toMatch(/^a ‹session, 35 characters, #\w+› b ‹session, 24 characters, #\w+› c$/)
  }
})

test('most of a secret is hidden where others have cut it', () => {
  const long = 'sess-7f3e9a1c5b2d8e4f6a0b'
  for (const cut of [long.slice(0, -1), long.slice(1), long.slice(0, 12), long.slice(-12)])
    expect(redactorOf(long).text(`log: ${cut}…`)).toMatch(/^log: ‹session, 25 characters, #\w+›…$/)
})

test('hides a secret of one redactor in the output of the process', () => {
  createRedactor().register('session', 'a-session-of-some-run')
  expect(outgoing.text('failed with a-session-of-some-run')).not.toContain('a-session')
})

test.each([
  'expected a 2xx status and { "token": "<calling JWT>" }',
  'a body { "token": "q8Zk3vWmX2pL7RtY" } and ?session=q8Zk3vWmX2pL7RtY',
  'authorization: Bearer q8Zk3vWmX2pL7RtY',
  'cookie: sid=q8Zk3vWmX2pL7RtY; theme=dark',
])('a text that has passed it passes it again unchanged: %s', (text) => {
  const redactor = createRedactor()
  for (const clean of [redactor.sentence, redactor.received, redactor.text]) {
    const once = clean(text)
    expect(redactor.sentence(once)).toBe(once)
    expect(redactor.text(once)).toBe(once)
  }
  expect(redactor.sentence(text)).not.toContain('q8Zk')
})
