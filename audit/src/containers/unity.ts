import {
  type Member,
  type OpeningOf,
  overLimit,
  overlapping,
  type Problem,
  roomForFiles,
  uncovered,
} from './container-format.ts'
import { append, CorruptData, createOutput, isOverBound, type Output } from './growing-output.ts'
import { decodeLz4Block } from './lz4-block.ts'

const marks = ['UnityFS\0', 'UnityWeb\0', 'UnityRaw\0'].map((text) => Buffer.from(text))
const mostBlocks = 1_000_000
const longestText = 256

/** Asset bundles of Unity: blocks, each compressed by itself, that together are the files. LZMA and the bundles of the web player are a gap. */
export const unity: OpeningOf<'members'> = {
  opens: 'members',
  name: 'unity',
  begins: marks,
  read: (_, bytes, bound) => (isUnity(bytes) ? readUnity(bytes, bound) : []),
  isHead: isUnity,
}

function isUnity(bytes: Buffer): boolean {
  return marks.some((mark) => bytes.subarray(0, mark.length).equals(mark))
}

const corrupt: Problem = { kind: 'corrupt', reason: 'the Unity bundle is corrupt or cut off' }
const encrypted: Problem = { kind: 'encrypted', reason: 'encrypted Unity bundle' }
const unsupported: Problem = {
  kind: 'unsupported',
  reason:
    'Unity compression that cannot be opened: unpack it with UnityPy or AssetStudio, and audit the result',
}

class CannotBeOpened extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.reason)
    this.problem = problem
  }
}

function* readUnity(bytes: Buffer, bound: number): Generator<Member> {
  try {
    if (bytes.toString('latin1', 0, 7) !== 'UnityFS') throw new CannotBeOpened(unsupported)
    yield* readBlocks(bytes, bound)
  } catch (error) {
    yield { name: null, bytes: null, problem: problemOf(error) }
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof CannotBeOpened) return error.problem
  if (isOverBound(error)) return overLimit
  if (error instanceof CorruptData || error instanceof RangeError) return corrupt
  throw error
}

/** Reads numbers, which are in big endian here, and texts. @throws RangeError */
function createCursor(bytes: Buffer, start: number) {
  let at = start
  const moved = (count: number) => {
    at += count
    return at - count
  }
  return {
    u16: () => bytes.readUInt16BE(moved(2)),
    u32: () => bytes.readUInt32BE(moved(4)),
    u64: () => Number(bytes.readBigUInt64BE(moved(8))),
    skip: (count: number) => void moved(count),
    text() {
      const end = bytes.indexOf(0, at)
      if (end === -1 || end - at > longestText) throw new CorruptData()
      return bytes.toString('utf8', moved(end + 1 - at), end)
    },
    align(unit: number) {
      at = Math.ceil(at / unit) * unit
    },
    position: () => at,
  }
}

/** In the flags of the header: how the list is compressed, that it is at the end, that the blocks are aligned. */
const [compressionMask, listAtEnd, isAligned] = [0x3f, 0x80, 0x200]

function* readBlocks(file: Buffer, bound: number): Generator<Member> {
  const head = createCursor(file, 8)
  const format = head.u32()
  head.text()
  const engine = head.text()
  head.u64()
  const [packed, size, flags] = [head.u32(), head.u32(), head.u32()]
  // The Chinese engine encrypts, and says so with other bits in its later versions.
  if ((flags & 0x1400) !== 0 && /c\d|t\d/.test(engine)) throw new CannotBeOpened(encrypted)
  if (format >= 7) head.align(16)
  const isAtEnd = (flags & listAtEnd) !== 0
  const listStart = isAtEnd ? file.length - packed : head.position()
  if (listStart < 0 || listStart + packed > file.length) throw new CorruptData()
  const list = createOutput(Math.min(bound, size), size)
  expandBlock(file.subarray(listStart, listStart + packed), size, flags & compressionMask, list)
  if (!isAtEnd) head.skip(packed)
  if (format >= 7 && (flags & isAligned) !== 0) head.align(16)
  const { blocks, files } = readList(list.bytes.subarray(0, list.size))
  const output = createOutput(bound, file.length)
  let problem: Problem | undefined
  try {
    let at = head.position()
    for (const block of blocks) {
      if (at + block.packed > file.length) throw new CorruptData()
      expandBlock(file.subarray(at, at + block.packed), block.size, block.flags & compressionMask, output)
      at += block.packed
    }
  } catch (error) {
    problem = problemOf(error)
  }
  const contents = output.bytes.subarray(0, output.size)
  if (problem !== undefined) yield { name: null, bytes: null, problem }
  const fits = roomForFiles(contents.length)
  for (const { start, size: length, name } of files) {
    const bytes = contents.subarray(start, start + length)
    if (!fits(bytes.length)) {
      yield { name: null, bytes: null, problem: overlapping }
      break
    }
    if (bytes.length > 0) yield { name, bytes }
  }
  // All of them where the list is damaged.
  const places = files.map(({ start, size: length }) => ({ start, end: start + length }))
  for (const [start, end] of uncovered(places, contents.length))
    yield { name: 'between files', bytes: contents.subarray(start, end) }
}

interface Block {
  readonly size: number
  readonly packed: number
  readonly flags: number
}

interface Entry {
  readonly start: number
  readonly size: number
  readonly name: string
}

function readList(list: Buffer): { readonly blocks: readonly Block[]; readonly files: readonly Entry[] } {
  const cursor = createCursor(list, 16)
  const blocks = Array.from({ length: countOf(cursor.u32()) }, () => ({
    size: cursor.u32(),
    packed: cursor.u32(),
    flags: cursor.u16(),
  }))
  const files = Array.from({ length: countOf(cursor.u32()) }, () => {
    const [start, size] = [cursor.u64(), cursor.u64()]
    cursor.skip(4)
    return { start, size, name: cursor.text() }
  })
  return { blocks, files }
}

function countOf(count: number): number {
  if (count > mostBlocks) throw new CorruptData()
  return count
}

const [stored, lz4, lz4hc] = [0, 2, 3]

function expandBlock(block: Buffer, size: number, compression: number, output: Output): void {
  const before = output.size
  if (compression === stored) append(output, block)
  else if (compression === lz4 || compression === lz4hc) {
    const own = createOutput(Math.min(output.bound - output.size, size), size)
    decodeLz4Block(block, own)
    append(output, own.bytes.subarray(0, own.size))
  } else throw new CannotBeOpened(unsupported)
  if (output.size - before !== size) throw new CorruptData()
}
