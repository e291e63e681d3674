import { escapeOf } from './escape.ts'
import { kernelBase64 } from './kernel/bytes.ts'
import { markLength, type Needle } from './needles.ts'
import { startsAt, xorKeyAt } from './plain-search.ts'
import type { Hits, Searcher } from './search.ts'

/** Addresses in the kernel's memory, as its source has them. */
const resumeAt = 144
const marksAt = 1024
const bytesAt = 66_560
const chunk = 256 * 1024
const margin = 32

interface Kernel {
  readonly memory: WebAssembly.Memory
  mark(at: number, end: number, d0: number, d1: number, d2: number): number
}

/** A needle, and how far into it those of its bytes begin that are looked for. */
interface Marked {
  readonly needle: Needle
  readonly back: number
}

const backslash = 5
const percentOrEntity = 6
const escapes = (1 << backslash) | (1 << percentOrEntity)
const xor = 1 << 8

/** `null` where the platform has no SIMD, or where a needle is too short for it. */
export function createKernelSearcher(needles: readonly Needle[], prefix: string): Searcher | null {
  const module = compiled()
  if (module === null || needles.some(({ bytes }) => bytes.length < markLength)) return null
  const kernel = new WebAssembly.Instance(module).exports as unknown as Kernel
  const memory = Buffer.from(kernel.memory.buffer)
  const byWord = new Map<number, Marked[]>()
  for (const needle of needles) {
    const back = rarestPart(needle)
    const word = needle.bytes.readUInt32LE(back)
    addToBucket(
      memory,
      bucketOf(needle),
      [...needle.bytes.subarray(back, back + markLength)].map((byte) => [byte]),
    )
    byWord.set(word, [...(byWord.get(word) ?? []), { needle, back }])
  }
  for (const [bucket, classes] of escapeClasses) addToBucket(memory, bucket, classes)
  const letters = Buffer.from(prefix)
  const { back: xorBack, differences } = rarestDifferences(letters)
  const [d0 = 0, d1 = 0, d2 = 0] = differences
  const isEscape = escapeOf(prefix)
  const marks = new Uint32Array(kernel.memory.buffer, marksAt, (bytesAt - marksAt) / 4)
  const look = (bytes: Buffer, address: number, offset: number, buckets: number, hits: Hits) => {
    if ((buckets & xor) !== 0) {
      const key = xorKeyAt(bytes, offset - xorBack, letters)
      if (key !== 0) hits.xored(offset - xorBack, key)
    }
    if ((buckets & escapes) !== 0 && isEscape(bytes, offset)) hits.escape(offset)
    const marked = byWord.get(memory.readUInt32LE(address))
    if (marked === undefined) return
    for (const { needle, back } of marked)
      if (startsAt(bytes, offset - back, needle.bytes)) hits.needle(offset - back, needle)
  }
  return {
    search(bytes, hits) {
      for (let start = 0; start < bytes.length; start += chunk) {
        const length = Math.min(bytes.length - start, chunk)
        const copied = bytes.copy(memory, bytesAt, start, start + length + margin)
        memory.fill(0, bytesAt + copied, bytesAt + copied + margin)
        for (let at = bytesAt; at < bytesAt + length; at = memory.readUInt32LE(resumeAt)) {
          const count = kernel.mark(at, bytesAt + length, d0, d1, d2)
          for (let mark = 0; mark < count * 2; mark += 2) {
            const address = marks[mark] as number
            look(bytes, address, start + address - bytesAt, marks[mark + 1] as number, hits)
          }
        }
      }
    },
  }
}

function compiled(): WebAssembly.Module | null {
  try {
    return new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'))
  } catch {
    return null
  }
}

/** Needles that begin alike share a bucket, so that few other texts pass its tables. */
function bucketOf({ form, view, bytes }: Needle): number {
  if (view !== 'utf-8') return form === 'base64' || form === 'hex' ? 7 : 4
  if (form === 'escaped') return bytes[0] === 0x5c ? backslash : percentOrEntity
  return { plain: 0, reversed: 0, 'mint-path': 0, base64: 1, hex: 2, jwt: 3 }[form]
}

/** How an escape can begin, byte by byte. */
const digits = '0123456789'
const hexDigits = `${digits}abcdefABCDEF`
const escapeClasses: readonly (readonly [bucket: number, classes: readonly (readonly number[])[]])[] = [
  [backslash, ['\\', `xuXU${digits}`, `{${hexDigits}`, any()].map(codes)],
  [percentOrEntity, ['%&', `#${digits}`, `xX${hexDigits}`, any()].map(codes)],
]

function any(): string {
  return Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1')
}

function codes(text: string): number[] {
  return [...Buffer.from(text, 'latin1')]
}

/** The kernel's tables: for each of four bytes, which buckets allow a low and a high half. */
function addToBucket(memory: Buffer, bucket: number, classes: readonly (readonly number[])[]): void {
  classes.forEach((allowed, place) => {
    for (const byte of allowed)
      for (const address of [place * 32 + (byte & 15), place * 32 + 16 + (byte >> 4)])
        memory.writeUInt8(memory.readUInt8(address) | (1 << bucket), address)
  })
}

/** The four bytes of a needle that other data is least likely to hold; of UTF-16, two characters and no zero first. */
function rarestPart({ bytes, form, view }: Needle): number {
  const first = view === 'utf-16be' ? 1 : 0
  if (form === 'escaped' || form === 'jwt') return first
  const step = view === 'utf-8' ? 1 : 2
  const rank = (at: number) => commonness(bytes.subarray(at, at + markLength))
  let best = first
  for (let at = first; at + markLength <= bytes.length; at += step) if (rank(at) < rank(best)) best = at
  return best
}

/** Lower-case letters are in every text. */
function commonness(bytes: Uint8Array): number {
  return bytes.filter((byte) => byte >= 0x61 && byte <= 0x7a).length
}

/** Three differences between neighbours in the prefix, none of them 0 where that can be had. */
function rarestDifferences(prefix: Buffer): { back: number; differences: number[] } {
  const all = Array.from(prefix.subarray(1), (byte, at) => byte ^ (prefix[at] ?? 0))
  const rank = (at: number) => all.slice(at, at + 3).reduce((sum, value) => sum + (value < 0x20 ? 1 : 0), 0)
  let back = 0
  for (let at = 1; at + 3 <= all.length; at++) if (rank(at) < rank(back)) back = at
  return { back, differences: all.slice(back, back + 3) }
}
