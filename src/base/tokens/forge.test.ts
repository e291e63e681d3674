import { CompactEncrypt, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { claimsOf, flipped, flippedReadably, forged, forUser, madeUp, takenApart } from './forge.ts'
import { tampered, tamperedParts } from './forge-tampered.ts'
import { unsigned } from './forge-unsigned.ts'
import { apart, expectForged, holds, original, sign, token } from './testing/forging.ts'

test('taking apart and putting together gives the same token', async () => {
  expect(forged(original, {})).toBe(token)
  expect(await holds(token)).toBe(true)
  expect(takenApart('ac_live_nothing', 'ann')).toBeNull()
})

test('an encrypted token is not taken apart, and a made-up one stands in for it', async () => {
  const jwe = await new CompactEncrypt(Buffer.from('{}'))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(new Uint8Array(32))
  expect(takenApart(jwe, 'ann')).toBeNull()
  const standIn = madeUp('ann', 1_900_000_000)
  expect(claimsOf(apart(forged(standIn, {})))).toMatchObject({ sub: 'ann', exp: 1_900_000_900 })
  expect(standIn.userId).toBe('ann')
  expect(unsigned(standIn).map(({ name }) => name)).toContain('with a signature of zero bytes')
})

describe('flipping', () => {
  test('changes exactly one decoded byte, wherever it is', () => {
    for (const bytes of [original.payload, original.signature])
      for (let index = 0; index < bytes.length; index += 1)
        expect(flipped(bytes, index).filter((byte, place) => byte !== bytes[place])).toHaveLength(1)
  })

  test('can leave claims that read as before', () => {
    const payload = flippedReadably(original)
    const claims = claimsOf({ ...original, payload: payload ?? new Uint8Array() })
    expect(payload).not.toEqual(original.payload)
    expect(claims).toMatchObject({ sub: 'ann', exp: claimsOf(original)['exp'] })
  })

  test('touches no user id and no number', () => {
    const spare = { ...original, payload: Buffer.from('{"n":17,"u":"id:ann"}') }
    expect(claimsOf({ ...spare, payload: flippedReadably(spare) ?? new Uint8Array() })).not.toHaveProperty(
      'u',
      'id:anm',
    )
    expect(flippedReadably({ ...original, payload: Buffer.from('[]') })).toBeNull()
  })
})

test('another user takes every place of the first, at any depth', () => {
  const payload = Buffer.from(
    '{"sub": "ann", "ann":1,"act":{"ids":["x","user:\\u0061nn"]},"n":1.0,"nothing":null}',
  )
  expect(Buffer.from(forUser({ ...original, payload }, 'bea$&')).toString()).toBe(
    '{"sub": "bea$&", "ann":1,"act":{"ids":["x","user:bea$&"]},"n":1.0,"nothing":null}',
  )
})

describe('unsigned tokens', () => {
  test('verify with no key', () => expectForged(unsigned(original)))

  test('keep the claims, in every spelling of none', () => {
    const headerOf = (text: string) =>
      JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString())
    const algorithms = unsigned(original).map((forgery) => headerOf(forgery.token).alg)
    expect(algorithms).toEqual(
      expect.arrayContaining([
        false,
        ['none'],
        'none',
        'None',
        'NONE',
        'nOnE',
        'none ',
        '',
        null,
        undefined,
        'ES256',
        'HS256',
        'HS384',
        'HS512',
      ]),
    )
    for (const forgery of unsigned(original)) expect(forgery.token.split('.')[1]).toBe(token.split('.')[1])
  })
})

describe('tampered tokens', () => {
  test('verify with no key', async () => {
    const other = apart(await sign({ sub: 'eve' }))
    await expectForged(tampered(original, { otherUser: 'bea', other }))
    await expectForged(tampered(original, { otherUser: 'bea' }))
  })

  test('decode to other bytes, one at least of the signature or what it covers', () => {
    for (const { token: forged } of tampered(original, { otherUser: 'bea' })) {
      const parts = (text: string) =>
        text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'))
      expect(parts(forged)).not.toEqual(parts(token))
    }
  })

  test('those that bear the name of the other user declare it', () => {
    const foreign = tampered(original, { otherUser: 'bea' }).filter(({ userId }) => userId === 'bea')
    const three = (token: string) => token.split('.').slice(0, 3).join('.')
    expect(foreign.map((forgery) => claimsOf(apart(three(forgery.token)))['sub'])).toEqual(['bea', 'bea'])
  })

  test('flips every part that an encrypted token has', async () => {
    const { publicKey: wrap } = await generateKeyPair('RSA-OAEP')
    const jwe = await new CompactEncrypt(Buffer.from('{"sub":"ann"}'))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A256GCM' })
      .encrypt(wrap)
    const forgeries = tamperedParts(jwe, 'ann')
    expect(forgeries).toHaveLength(6)
    expect(new Set([jwe, ...forgeries.map((forgery) => forgery.token)]).size).toBe(7)
  })
})
