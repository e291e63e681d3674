import { base64url, type Forgery, forged, forUser, type Original } from './forge.ts'

/** A genuine token, written so that parsers may disagree about it. */
export interface RawVariant {
  /** Completes "a token …". */
  readonly name: string
  readonly token: string
}

/** Tokens with another user's claims that no key has signed, in forms that only some parsers understand. */
export function rawForgeries(original: Original, otherUser: string): Forgery[] {
  const payload = base64url(forUser(original, otherUser))
  const { header, signature, payload: signed } = original.segments
  const members = Buffer.from(header, 'base64url').toString('utf8').trim()
  const withMember = (place: 'first' | 'last', member: string) =>
    base64url(place === 'first' ? `{${member},${members.slice(1)}` : `${members.slice(0, -1)},${member}}`)
  const headers: readonly (readonly [name: string, header: string])[] = [
    ['with alg none before its own alg', withMember('first', '"alg":"none"')],
    ['with alg none behind its own alg', withMember('last', '"alg":"none"')],
    ['with a second kid before its own', withMember('first', '"kid":"none"')],
    ['with a second kid behind its own', withMember('last', '"kid":"none"')],
    ['with b64 false', withMember('last', '"b64":false')],
    ['with b64 false as a critical parameter', withMember('last', '"b64":false,"crit":["b64"]')],
    ['with an empty list of critical parameters', withMember('last', '"crit":[]')],
  ]
  const json = (members: string) => `{${members}}`
  const part = (name: string, value: string) => `"${name}":"${value}"`
  const own = [part('protected', header), part('signature', signature)].join(',')
  const made: readonly RawVariant[] = [
    ...headers.flatMap(([name, changed]) => [
      { name, token: `${changed}.${payload}.${signature}` },
      { name: `${name}, and an empty signature`, token: `${changed}.${payload}.` },
    ]),
    { name: 'as flattened JSON', token: json(`${part('payload', payload)},${own}`) },
    { name: 'as JSON without signatures', token: json(`${part('payload', payload)},"signatures":[]`) },
    {
      name: 'as JSON with the claims of another token first',
      token: json(`${part('payload', payload)},${part('payload', signed)},${own}`),
    },
    {
      name: 'as JSON with the claims of another token last',
      token: json(`${part('payload', signed)},${part('payload', payload)},${own}`),
    },
  ]
  return made.map((variant) => ({ ...variant, userId: otherUser }))
}

const separators = [
  ['a dot', '.'],
  ['a comma', ','],
  ['a comma and a blank', ', '],
  ['a blank', ' '],
  ['a semicolon', ';'],
  ['a tilde', '~'],
  ['a zero byte', '\0'],
  ['a line feed', '\n'],
] as const

/** A genuine token together with claims for another user that no key has signed: one part is verified, and another read. */
export function rawMixtures(original: Original, genuine: string, otherUser: string): Forgery[] {
  const payload = forUser(original, otherUser)
  const { header, payload: signed, signature } = original.segments
  const whole = forged(original, { payload })
  const made: readonly RawVariant[] = [
    ...separators.flatMap(([name, separator]) => [
      { name: `with a forged one before it and ${name} between them`, token: whole + separator + genuine },
      { name: `with a forged one behind it and ${name} between them`, token: genuine + separator + whole },
    ]),
    ...(genuine === forged(original, {})
      ? [
          {
            name: 'with forged claims before its own',
            token: `${header}.${base64url(payload)}.${signed}.${signature}`,
          },
          {
            name: 'with forged claims behind its own',
            token: `${header}.${signed}.${base64url(payload)}.${signature}`,
          },
          {
            name: 'with a forged header and forged claims before it',
            token: `${header}.${base64url(payload)}.${genuine}`,
          },
          {
            name: 'with forged claims behind padding',
            token: `${header}.${signed}=${base64url(payload)}.${signature}`,
          },
        ]
      : []),
  ]
  return made.map((variant) => ({ ...variant, userId: otherUser }))
}

/** The genuine token alone, in other letters: the same bytes are signed, and some libraries read them. */
export function rawSpellings(genuine: string): RawVariant[] {
  const segments = genuine.split('.')
  const padded = segments.map((segment) => segment.padEnd(Math.ceil(segment.length / 4) * 4, '='))
  const standard = segments.map((segment) => segment.replaceAll('-', '+').replaceAll('_', '/'))
  const made: readonly RawVariant[] = [
    { name: 'with padding', token: padded.join('.') },
    { name: 'in the standard alphabet of base64', token: standard.join('.') },
    { name: 'with other unused bits in its last letter', token: withUnusedBits(genuine) },
    { name: 'with a blank before it', token: ` ${genuine}` },
    { name: 'with a blank behind it', token: `${genuine} ` },
    { name: 'with a line feed behind it', token: `${genuine}\n` },
    { name: 'with a zero byte behind it', token: `${genuine}\0` },
    { name: 'in double quotes', token: `"${genuine}"` },
    { name: 'with the scheme before it', token: `Bearer ${genuine}` },
    { name: 'with encoded dots', token: genuine.replaceAll('.', '%2E') },
    ...asJson(segments),
  ]
  return made.filter(({ token }) => token !== genuine)
}

function asJson([header, payload, signature, ...more]: readonly string[]): RawVariant[] {
  if (header === undefined || payload === undefined || signature === undefined || more.length > 0) return []
  return [{ name: 'as flattened JSON', token: JSON.stringify({ protected: header, payload, signature }) }]
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** The last letter may hold bits that no byte needs: decoders ignore them. */
function withUnusedBits(token: string): string {
  const last = token.split('.').at(-1) ?? ''
  const place = alphabet.indexOf(token.at(-1) ?? '')
  return last.length % 4 < 2 || place < 0 ? token : token.slice(0, -1) + alphabet.charAt(place ^ 1)
}
