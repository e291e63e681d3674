import { expect, test } from 'vitest'
import { readToken, tokensIn } from '../../base/tokens/decode.ts'
import { pathsHolding } from '../../base/tokens/find-user-claim.ts'
import { claimsOf, forUser, takenApart } from '../../base/tokens/forge.ts'
import { tampered } from '../../base/tokens/forge-tampered.ts'
import { jsonPaths } from '../../base/tokens/json-paths.ts'
import { createForgedDecoder } from './decode-forged.ts'

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

test('looks for tokens in 4 MB without any', () => {
  for (const text of ['.', 'aaaa.', 'eyaa']) {
    const long = text.repeat(4_194_304 / text.length)
    expect(tokensIn(long)).toEqual([])
  }
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
