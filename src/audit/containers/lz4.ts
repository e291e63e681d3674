import { expandedTo, stripSuffix } from './compressed-file.ts'
import type { OpeningOf } from './container-format.ts'
import { append, CorruptData, createOutput, decompressedBy, type Output } from './growing-output.ts'
import { decodeLz4Block } from './lz4-block.ts'
import { xxh32 } from './xxh32.ts'

const frameMark = 0x184d2204
/** The format of Linux kernels and Android's ramdisks: blocks of eight megabytes without a header. */
const legacyMark = 0x184c2102
const skippableMark = 0x184d2a50
const legacyBlock = 8 * 1024 * 1024

export const lz4: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'lz4',
  begins: [frameMark, legacyMark].map(bytesOf),
  expand(name, bytes, bound) {
    if (!isLz4(bytes)) return null
    let consumed = 0
    const out = decompressedBy(bound, bytes.length * 3, (output) => {
      consumed = expandFrames(bytes, output)
    })
    const expanded = expandedTo(stripSuffix(name, /\.lz4$/i, 'lz4'), out)
    return out.end === 'whole' ? { ...expanded, consumed } : expanded
  },
  openLarge: (_, head) => (isLz4(head) ? 'lz4 compression' : null),
}

function bytesOf(mark: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(mark)
  return bytes
}

function isLz4(bytes: Buffer): boolean {
  return bytes.length > 7 && [frameMark, legacyMark].includes(bytes.readUInt32LE(0))
}

/** Frame after frame. @returns how many bytes of the file they are */
function expandFrames(file: Buffer, output: Output): number {
  let at = 0
  while (at + 4 <= file.length) {
    const mark = file.readUInt32LE(at)
    if (mark === frameMark) at = expandFrame(file, at + 4, output)
    else if (mark === legacyMark) at = expandLegacy(file, at + 4, output)
    else if ((mark & 0xffff_fff0) >>> 0 === skippableMark) at += 8 + file.readUInt32LE(at + 4)
    else break
  }
  return Math.min(at, file.length)
}

/** A header by its flags, then blocks, each with its size; a size of zero ends them. */
function expandFrame(file: Buffer, start: number, output: Output): number {
  const flags = file.readUInt8(start)
  if (flags >>> 6 !== 1) throw new CorruptData()
  const isLinked = (flags & 32) === 0
  const before = output.size
  const hasBlockSums = (flags & 16) !== 0
  let at = start + 3 + ((flags & 8) !== 0 ? 8 : 0) + ((flags & 1) !== 0 ? 4 : 0)
  for (;;) {
    const head = file.readUInt32LE(at)
    at += 4
    if (head === 0) break
    const size = head & 0x7fff_ffff
    if (at + size > file.length) throw new CorruptData()
    const block = file.subarray(at, at + size)
    if (head >>> 31 === 1) append(output, block)
    else if (isLinked) decodeLz4Block(block, output)
    else expandApart(block, output)
    at += size + (hasBlockSums ? 4 : 0)
  }
  if ((flags & 4) === 0) return at
  if (xxh32(output.bytes.subarray(before, output.size)) !== file.readUInt32LE(at)) throw new CorruptData()
  return at + 4
}

/** A block that repeats nothing of those before it. */
function expandApart(block: Buffer, output: Output): void {
  const own = createOutput(output.bound - output.size, block.length * 3)
  decodeLz4Block(block, own)
  append(output, own.bytes.subarray(0, own.size))
}

/** Until the file, or what is a size, ends. */
function expandLegacy(file: Buffer, start: number, output: Output): number {
  let at = start
  while (at + 4 <= file.length) {
    const size = file.readUInt32LE(at)
    if (size > legacyBlock * 2 || size === 0) return at
    if (at + 4 + size > file.length) throw new CorruptData()
    expandApart(file.subarray(at + 4, at + 4 + size), output)
    at += 4 + size
  }
  return at
}
