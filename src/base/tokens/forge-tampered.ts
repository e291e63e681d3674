import {
  base64url,
  claimsOf,
  compact,
  encodedJson,
  type Forgery,
  flipped,
  flippedReadably,
  forUser,
  type Original,
  signingInput,
} from './forge.ts'

export interface Tampering {
  /** Another user, whose name a rewritten token bears. */
  readonly otherUser: string
  /** Another token of the same service: parts of both are put together. */
  readonly other?: Original
}

const daySeconds = 86_400

/** The token with something changed and the signature that it had. */
export function tampered(original: Original, { otherUser, other }: Tampering): Forgery[] {
  const { header, payload, signature, userId } = original
  const claims = claimsOf(original)
  const { exp } = claims
  const input = signingInput(header, payload)
  const whole = compact(header, payload, signature)
  const middle = Math.floor(signature.length / 2)
  const readable = flippedReadably(original)

  const own: Omit<Forgery, 'userId'>[] = [
    ...(readable === null
      ? []
      : [{ name: 'with a byte of its claims flipped', token: compact(header, readable, signature) }]),
    {
      name: 'with a byte in the middle of its payload flipped',
      token: compact(header, flipped(payload, Math.floor(payload.length / 2)), signature),
    },
    {
      name: 'with the same claims in another encoding',
      token: compact(header, Buffer.concat([Buffer.from(' '), payload]), signature),
    },
    ...(typeof exp === 'number'
      ? [
          {
            name: 'whose expiry was extended by a day',
            token: compact(header, encodedJson({ ...claims, exp: exp + daySeconds }), signature),
          },
        ]
      : []),
    { name: 'with a header parameter added', token: compact({ ...header, x: 1 }, payload, signature) },
    ...(signature.length === 0
      ? []
      : [
          { name: 'with the first byte of its signature flipped', signature: flipped(signature, 0) },
          { name: 'with a byte of its signature flipped', signature: flipped(signature, middle) },
          {
            name: 'with the last byte of its signature flipped',
            signature: flipped(signature, signature.length - 1),
          },
          { name: 'with half of its signature', signature: signature.subarray(0, middle) },
          { name: 'without the last byte of its signature', signature: signature.subarray(0, -1) },
          { name: 'with a byte added to its signature', signature: Buffer.concat([signature, Buffer.of(0)]) },
          { name: 'with its signature twice', signature: Buffer.concat([signature, signature]) },
        ].map(({ name, signature: changed }) => ({ name, token: `${input}.${base64url(changed)}` }))),
    { name: 'with a fourth part', token: `${whole}.${base64url('more')}` },
    { name: 'with an empty fourth part', token: `${whole}.` },
    { name: 'with an empty payload', token: compact(header, new Uint8Array(), signature) },
    ...(other === undefined
      ? []
      : [{ name: 'with the signature of another token', token: compact(header, payload, other.signature) }]),
  ]
  const foreign = encodedJson(forUser(claims, userId, otherUser))
  return [
    ...own.map((forgery) => ({ ...forgery, userId })),
    { name: "rewritten to another user's id", token: compact(header, foreign, signature), userId: otherUser },
  ]
}

/** A JWE with one decoded byte of each of its parts flipped; what it holds cannot be read, and so not rewritten. */
export function tamperedParts(token: string, userId: string): Forgery[] {
  const parts = token.split('.')
  const names = ['encrypted key', 'initialization vector', 'ciphertext', 'authentication tag']
  const flips = names.flatMap((name, index): Omit<Forgery, 'userId'>[] => {
    const bytes = Buffer.from(parts[index + 1] ?? '', 'base64url')
    if (bytes.length === 0) return []
    const changed = base64url(flipped(bytes, Math.floor(bytes.length / 2)))
    return [{ name: `with a byte of its ${name} flipped`, token: parts.with(index + 1, changed).join('.') }]
  })
  const cut = { name: 'without its authentication tag', token: parts.with(-1, '').join('.') }
  const longer = { name: 'with a sixth part', token: `${token}.${base64url('more')}` }
  return [...flips, cut, longer].map((forgery) => ({ ...forgery, userId }))
}
