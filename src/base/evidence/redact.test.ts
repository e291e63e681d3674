import { describe, expect, test } from 'vitest'
import { createRedactor } from './redact.ts'

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
