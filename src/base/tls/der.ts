/** Just enough of ITU-T X.690 (DER) to write a certificate. Every function returns one whole element. */

const tags = {
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  identifier: 0x06,
  utf8: 0x0c,
  sequence: 0x30,
  set: 0x31,
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(tags.sequence, ...items)
export const set = (...items: readonly Uint8Array[]): Buffer => element(tags.set, ...items)
export const octets = (content: Uint8Array): Buffer => element(tags.octets, content)
export const utf8 = (text: string): Buffer => element(tags.utf8, Buffer.from(text))
export const boolean = (value: boolean): Buffer => element(0x01, Buffer.of(value ? 0xff : 0))

/** A bit string; `unused` bits at the end of the last byte do not count. */
export const bits = (content: Uint8Array, unused = 0): Buffer =>
  element(tags.bits, Buffer.of(unused), content)

/** An integer from its big-endian magnitude: never negative, and as short as it can be. */
export function integer(magnitude: Uint8Array): Buffer {
  const first = magnitude.findIndex((byte) => byte !== 0)
  const bytes = first === -1 ? Buffer.of(0) : magnitude.subarray(first)
  return element(tags.integer, ...((bytes[0] ?? 0) >= 0x80 ? [Buffer.of(0), bytes] : [bytes]))
}

export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return element(tags.identifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

/** A point in time between 1950 and 2049 as UTCTime, any other as GeneralizedTime (RFC 5280, 4.1.2.5). */
export function time(at: Date): Buffer {
  const digits = `${at.toISOString().replace(/\D/g, '').slice(0, 14)}Z`
  const short = at.getUTCFullYear() >= 1950 && at.getUTCFullYear() < 2050
  return short ? element(0x17, Buffer.from(digits.slice(2))) : element(0x18, Buffer.from(digits))
}

/** A context-specific element: constructed where it wraps others, primitive where it replaces one's tag. */
export function context(number: number, form: 'constructed' | 'primitive', content: Uint8Array): Buffer {
  return element((form === 'constructed' ? 0xa0 : 0x80) + number, content)
}

function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  if (content.length < 0x80) return Buffer.concat([Buffer.of(tag, content.length), content])
  const length: number[] = []
  for (let rest = content.length; rest > 0; rest >>>= 8) length.unshift(rest & 0xff)
  return Buffer.concat([Buffer.of(tag, 0x80 + length.length, ...length), content])
}

function base128(arc: number): number[] {
  const digits = [arc & 0x7f]
  for (let rest = arc >>> 7; rest > 0; rest >>>= 7) digits.unshift((rest & 0x7f) | 0x80)
  return digits
}
