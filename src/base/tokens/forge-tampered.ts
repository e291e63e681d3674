import { daySeconds } from '../times.ts'
import {
  asForgeries,
  base64url,
  claimsOf,
  type Forgery,
  flipped,
  flippedReadably,
  forged,
  forUser,
  type Original,
  signingInput,
  withClaims,
} from './forge.ts'

export interface Tampering {
  /** Another user, whose name a rewritten token bears. */
  readonly otherUser: string
  /** Another token of the same service: parts of both are put together. */
  readonly other?: Original
}

type Made = Omit<Forgery, 'userId'>

const highestBit = 0x80

/** The token with something changed and the signature that it had. */
export function tampered(original: Original, { otherUser, other }: Tampering): Forgery[] {
  const whole = forged(original, {})
  const own = asForgeries(original, [
    ...withChangedClaims(original),
    ...withChangedHeader(original),
    ...withChangedSignature(original),
    { name: 'with a fourth part', token: withFourthPart(whole), isUnread: true },
    { name: 'with an empty fourth part', token: `${whole}.`, isLenient: true },
    { name: 'with two empty parts added', token: `${whole}..`, isLenient: true },
    ...(other === undefined
      ? []
      : [{ name: 'with the signature of another token', token: forged(original, {}, other.signature) }]),
  ])
  const rewritten = forged(original, { payload: forUser(original, otherUser) })
  const foreign = asForgeries(original, [
    { name: "rewritten to another user's id", token: rewritten },
    { name: "rewritten to another user's id, with a fourth part", token: withFourthPart(rewritten) },
  ])
  return [...own, ...foreign.map((forgery) => ({ ...forgery, userId: otherUser }))]
}

function withFourthPart(token: string): string {
  return `${token}.${base64url('more')}`
}

function withChangedClaims(original: Original): Made[] {
  const { payload } = original
  const { exp } = claimsOf(original)
  const readable = flippedReadably(original)
  const changes = [
    ...(readable === null ? [] : [['with a byte of its claims flipped', readable] as const]),
    ['with a byte in the middle of its payload flipped', flipped(payload, Math.floor(payload.length / 2))],
    ['with the same claims in another encoding', Buffer.concat([Buffer.from(' '), payload])],
    ...(typeof exp === 'number'
      ? [['whose expiry was extended by a day', withClaims(original, { exp: exp + daySeconds })] as const]
      : []),
    ['with an empty payload', new Uint8Array()],
  ] as const
  return changes.map(([name, changed]) => ({ name, token: forged(original, { payload: changed }) }))
}

function withChangedHeader(original: Original): Made[] {
  const { header, payload, signature } = original.segments
  const bytes = Buffer.concat([Buffer.from(' '), Buffer.from(header, 'base64url')])
  return [
    { name: 'with a header parameter added', token: forged(original, { header: { x: 1 } }) },
    {
      name: 'with the same header in another encoding',
      token: `${base64url(bytes)}.${payload}.${signature}`,
    },
  ]
}

/** Header and payload stay as they came, so that only the comparison of signatures decides. */
function withChangedSignature(original: Original): Made[] {
  const { signature } = original
  if (signature.length === 0) return []
  const middle = Math.floor(signature.length / 2)
  const unreadable = flippedUnreadably(signature)
  const changes = [
    ['with the first byte of its signature flipped', flipped(signature, 0)],
    ['with a byte of its signature flipped', flipped(signature, middle)],
    ['with the last byte of its signature flipped', flipped(signature, signature.length - 1)],
    ['with the highest bit of a byte of its signature flipped', flipped(signature, middle, highestBit)],
    ...(unreadable === null
      ? []
      : [['with a byte of its signature flipped that is no text', unreadable] as const]),
    ['with half of its signature', signature.subarray(0, middle)],
    ['without the last byte of its signature', signature.subarray(0, -1)],
    ['with a byte added to its signature', Buffer.concat([signature, Buffer.of(0)])],
    ['with its signature twice', Buffer.concat([signature, signature])],
  ] as const
  const recased = recase(original.segments.signature)
  return [
    ...changes.map(([name, changed]) => ({ name, token: forged(original, {}, changed) })),
    {
      name: 'with a letter of its signature in the other case',
      token: `${signingInput(original)}.${recased}`,
    },
  ]
}

/** Other bytes that a comparison of texts takes for the same: decoding turns both into a replacement character. */
function flippedUnreadably(signature: Uint8Array): Uint8Array | null {
  const text = Buffer.from(signature).toString('utf8')
  for (const index of signature.keys()) {
    const changed = flipped(signature, index)
    if (Buffer.from(changed).toString('utf8') === text) return changed
  }
  return null
}

/** Never the last letter: some of its bits may be padding. */
function recase(segment: string): string {
  const middle = Math.floor(segment.length / 2)
  const index = Array.from(segment, (_, at) => at)
    .slice(0, -1)
    .filter((at) => /[a-z]/i.test(segment.charAt(at)))
    .reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best), 0)
  const letter = segment.charAt(index)
  const other = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
  return segment.slice(0, index) + other + segment.slice(index + 1)
}

/** A JWE with one decoded byte of each of its parts flipped; what it holds cannot be read, and so not rewritten. */
export function tamperedParts(token: string, userId: string): Forgery[] {
  const parts = token.split('.')
  const names = ['encrypted key', 'initialization vector', 'ciphertext', 'authentication tag']
  const flips = names.flatMap((name, index): Made[] => {
    const bytes = Buffer.from(parts[index + 1] ?? '', 'base64url')
    if (bytes.length === 0) return []
    const changed = base64url(flipped(bytes, Math.floor(bytes.length / 2)))
    return [{ name: `with a byte of its ${name} flipped`, token: parts.with(index + 1, changed).join('.') }]
  })
  const cut = { name: 'without its authentication tag', token: parts.with(-1, '').join('.') }
  const longer = { name: 'with a sixth part', token: `${token}.${base64url('more')}` }
  return [...flips, cut, longer].map((forgery) => ({ ...forgery, userId }))
}
