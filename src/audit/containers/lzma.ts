import { crc32 } from 'node:zlib'
import { type Decompressed, expandedTo, stripSuffix } from './compressed-file.ts'
import type { OpeningOf } from './container-format.ts'
import { CorruptData, decompressedBy } from './growing-output.ts'
import { codingOf, decodeLzma } from './lzma-decoder.ts'

const headBytes = 13
/** What nearly every compressor writes: the usual coding, and the low bytes of a dictionary's size. */
const usualHead = Buffer.from([0x5d, 0, 0])

/** The old format has no mark: properties, the size of the dictionary, and the size of the contents. */
export const lzma: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'lzma',
  begins: [usualHead],
  suffixes: ['.lzma', '.tlz'],
  expand(name, bytes, bound) {
    if (!isLzma(name, bytes)) return null
    const own = stripSuffix(name, /\.lzma$|\.tlz$/i, 'lzma')
    const inner = /\.tlz$/i.test(name) ? `${own}.tar` : own
    let consumed = 0
    const out = expandLzma(bytes, bound, (used) => {
      consumed = used
    })
    // Data that only begins like it is something else, and no gap.
    if (out.end === 'corrupt' && !hasName(name) && (out.bytes?.length ?? 0) < leastOfNone) return null
    return out.end === 'whole' ? { name: inner, bytes: out.bytes, consumed } : expandedTo(inner, out)
  },
  openLarge: (name, head) => (isLzma(name, head) ? 'LZMA compression' : null),
}

/** So much hardly comes out of what was not compressed. */
const leastOfNone = 512

function hasName(name: string): boolean {
  return /\.(?:lzma|tlz)$/i.test(name)
}

function isLzma(name: string, bytes: Buffer): boolean {
  if (bytes.length <= headBytes + 5 || (bytes[0] ?? 255) >= 225) return false
  if (hasName(name)) return true
  const dictionary = bytes.readUInt32LE(1)
  const [low, high] = [bytes.readUInt32LE(5), bytes.readUInt32LE(9)]
  const isSized = high < 256 || (low === 0xffff_ffff && high === 0xffff_ffff)
  return (
    bytes.subarray(0, usualHead.length).equals(usualHead) &&
    isSized &&
    bytes[headBytes] === 0 &&
    dictionary >= 4096 &&
    (dictionary & 0xfff) === 0
  )
}

/** A file with its header, at most `bound` bytes of its contents. @param used told how many bytes of the file that took */
export function expandLzma(bytes: Buffer, bound: number, used: (count: number) => void): Decompressed {
  return decompressedBy(bound, bytes.length * 4, (output) => {
    const [low, high] = [bytes.readUInt32LE(5), bytes.readUInt32LE(9)]
    const isUnknown = low === 0xffff_ffff && high === 0xffff_ffff
    const size = isUnknown ? null : high * 2 ** 32 + low
    const count = decodeLzma(bytes.subarray(headBytes), codingOf(bytes.readUInt8(0)), size, output)
    used(headBytes + count)
  })
}

const lzipMark = Buffer.from('LZIP\x01', 'latin1')
const lzipHead = 6
const lzipTail = 20

/** Members that follow each other, each with a checksum and sizes at its end. */
export const lzip: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'lzip',
  begins: [lzipMark],
  expand(name, bytes, bound) {
    if (!isLzip(bytes, 0)) return null
    let at = 0
    const out = decompressedBy(bound, bytes.length * 4, (output) => {
      while (isLzip(bytes, at)) {
        const before = output.size
        const count = decodeLzma(bytes.subarray(at + lzipHead), codingOf(0x5d), null, output)
        at += lzipHead + count + lzipTail
        if (at > bytes.length) throw new CorruptData()
        const sum = bytes.readUInt32LE(at - lzipTail)
        if (crc32(output.bytes.subarray(before, output.size)) !== sum) throw new CorruptData()
      }
    })
    const expanded = expandedTo(stripSuffix(name, /\.lz$/i, 'lz'), out)
    return out.end === 'whole' ? { ...expanded, consumed: at } : expanded
  },
  openLarge: (_, head) => (isLzip(head, 0) ? 'lzip compression' : null),
}

function isLzip(bytes: Buffer, at: number): boolean {
  return bytes.subarray(at, at + lzipMark.length).equals(lzipMark)
}
