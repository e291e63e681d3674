import { CorruptData } from './growing-output.ts'

/** Compressed bytes in the file. */
export interface Packed {
  readonly start: number
  readonly end: number
}

/** One step of decompression, and what it reads. */
export interface Coder {
  /** The method, in hexadecimal. */
  readonly method: string
  readonly properties: Buffer
  /** Of what comes out, in bytes. */
  readonly size: number
  readonly inputs: readonly (Coder | Packed)[]
}

/** Files that were compressed as one. */
export interface Folder {
  /** The last step. */
  readonly coder: Coder
  /** Of the files in it: sizes, and checksums where they are known. */
  readonly files: readonly { readonly size: number; readonly crc: number | null }[]
}

export interface Listing {
  readonly folders: readonly Folder[]
  /** Of files that have contents, in the order of the folders. */
  readonly names: readonly string[]
}

const [end, header, filesInfo, packInfo, unpackInfo, subStreams] = [0, 1, 5, 6, 7, 8]
const [sizesId, digestsId, folderId, coderSizesId, countsId] = [9, 10, 11, 12, 13]
const [emptyStreams, namesId] = [14, 17]
const encodedHeader = 0x17

const signatureBytes = 32
/** More than any real archive has. */
const mostItems = 1_000_000
const mostCoders = 8

/** Reads the numbers of a header. @throws CorruptData, RangeError */
function createCursor(bytes: Buffer) {
  let at = 0
  const byte = () => {
    const value = bytes.readUInt8(at)
    at += 1
    return value
  }
  /** As many bytes follow as the first one has leading ones; the rest of it are the highest digits. */
  const number = () => {
    const first = byte()
    let value = 0
    let mask = 0x80
    for (let index = 0; index < 8; index++, mask >>= 1) {
      if ((first & mask) === 0) return value + (first & (mask - 1)) * 256 ** index
      value += byte() * 256 ** index
    }
    return value
  }
  const take = (count: number) => {
    if (!(count >= 0 && at + count <= bytes.length)) throw new CorruptData()
    at += count
    return bytes.subarray(at - count, at)
  }
  const count = () => {
    const value = number()
    if (value > Math.min(mostItems, bytes.length * 8)) throw new CorruptData()
    return value
  }
  const bits = (length: number) => {
    const packed = take(Math.ceil(length / 8))
    return Array.from({ length }, (_, index) => (((packed[index >> 3] ?? 0) >> (7 - (index & 7))) & 1) === 1)
  }
  /** Checksums of some of so many things. */
  const digests = (length: number): (number | null)[] => {
    const isDefined = byte() !== 0 ? null : bits(length)
    return Array.from({ length }, (_, index) =>
      isDefined?.[index] === false ? null : take(4).readUInt32LE(0),
    )
  }
  const rest = () => take(bytes.length - at)
  return { byte, number, take, count, digests, bits, rest }
}

type Cursor = ReturnType<typeof createCursor>

/**
 * What is in an archive.
 * @param expand a header may be compressed itself: gives what a folder holds
 * @throws CorruptData, RangeError
 */
export function readListing(file: Buffer, expand: (folder: Folder) => Buffer): Listing {
  const start = signatureBytes + Number(file.readBigUInt64LE(12))
  const size = Number(file.readBigUInt64LE(20))
  if (size === 0) return { folders: [], names: [] }
  if (start + size > file.length) throw new CorruptData()
  let bytes = file.subarray(start, start + size)
  for (let times = 0; bytes[0] === encodedHeader && times < 4; times++) {
    const cursor = createCursor(bytes)
    cursor.byte()
    const [folder] = readStreams(cursor)
    if (folder === undefined) throw new CorruptData()
    bytes = expand(folder)
  }
  return readHeader(createCursor(bytes))
}

function readHeader(cursor: Cursor): Listing {
  if (cursor.byte() !== header) throw new CorruptData()
  let folders: Folder[] = []
  for (let id = cursor.byte(); id !== end; id = cursor.byte()) {
    if (id === 2) skipProperties(cursor)
    else if (id === 3) readStreams(cursor)
    else if (id === 4) folders = readStreams(cursor)
    else if (id === filesInfo) return { folders, names: readNames(cursor) }
    else throw new CorruptData()
  }
  return { folders, names: [] }
}

function skipProperties(cursor: Cursor): void {
  for (let id = cursor.byte(); id !== end; id = cursor.byte()) cursor.take(cursor.number())
}

function readNames(cursor: Cursor): string[] {
  const count = cursor.count()
  let isEmpty: boolean[] = []
  let names: string[] = []
  for (let id = cursor.byte(); id !== end; id = cursor.byte()) {
    const own = createCursor(cursor.take(cursor.number()))
    if (id === emptyStreams) isEmpty = own.bits(count)
    if (id === namesId && own.byte() === 0) names = own.rest().toString('utf16le').split('\0')
  }
  return names.filter((_, index) => isEmpty[index] !== true)
}

/** A coder as it is written, with the streams that go in and come out of it. */
interface WrittenCoder {
  readonly method: string
  readonly properties: Buffer
  readonly inputs: number
  readonly outputs: number
}

interface WrittenFolder {
  readonly coders: readonly WrittenCoder[]
  readonly bonds: readonly { readonly input: number; readonly output: number }[]
  /** Which inputs are of the file. */
  readonly packed: readonly number[]
}

function readStreams(cursor: Cursor): Folder[] {
  let at = 0
  let packSizes: number[] = []
  let folders: WrittenFolder[] = []
  let sizes: number[][] = []
  let crcs: (number | null)[] = []
  let files: Folder['files'][] | null = null
  for (let id = cursor.byte(); id !== end; id = cursor.byte()) {
    if (id === packInfo) {
      at = signatureBytes + cursor.number()
      packSizes = readPackSizes(cursor)
    } else if (id === unpackInfo) ({ folders, sizes, crcs } = readFolders(cursor))
    else if (id === subStreams) files = readFiles(cursor, folders, sizes, crcs)
    else throw new CorruptData()
  }
  let next = 0
  return folders.map((folder, index) => {
    const packed = folder.packed.map(() => {
      const start = at
      at += packSizes[next++] ?? 0
      return { start, end: at }
    })
    const own = sizes[index] ?? []
    const whole = [{ size: own[lastOf(folder)] ?? 0, crc: crcs[index] ?? null }]
    return { coder: coderAt(folder, lastOf(folder), own, packed, 0), files: files?.[index] ?? whole }
  })
}

function readPackSizes(cursor: Cursor): number[] {
  const count = cursor.count()
  let sizes: number[] = []
  for (let id = cursor.byte(); id !== end; id = cursor.byte()) {
    if (id === sizesId) sizes = Array.from({ length: count }, () => cursor.number())
    else if (id === digestsId) cursor.digests(count)
    else throw new CorruptData()
  }
  return sizes
}

function readFolders(cursor: Cursor) {
  if (cursor.byte() !== folderId) throw new CorruptData()
  const count = cursor.count()
  if (cursor.byte() !== 0) throw new CorruptData()
  const folders = Array.from({ length: count }, () => readFolder(cursor))
  if (cursor.byte() !== coderSizesId) throw new CorruptData()
  const sizes = folders.map(({ coders }) =>
    coders.flatMap(({ outputs }) => Array.from({ length: outputs }, () => cursor.number())),
  )
  let crcs: (number | null)[] = []
  for (let id = cursor.byte(); id !== end; id = cursor.byte()) {
    if (id !== digestsId) throw new CorruptData()
    crcs = cursor.digests(count)
  }
  return { folders, sizes, crcs }
}

function readFolder(cursor: Cursor): WrittenFolder {
  const coders = Array.from({ length: few(cursor.number()) }, (): WrittenCoder => {
    const flags = cursor.byte()
    const method = cursor.take(flags & 15).toString('hex')
    const isComplex = (flags & 16) !== 0
    const inputs = isComplex ? few(cursor.number()) : 1
    const outputs = isComplex ? few(cursor.number()) : 1
    const properties = (flags & 32) !== 0 ? cursor.take(cursor.number()) : Buffer.alloc(0)
    return { method, properties, inputs, outputs }
  })
  const inputs = coders.reduce((sum, coder) => sum + coder.inputs, 0)
  const outputs = coders.reduce((sum, coder) => sum + coder.outputs, 0)
  const bonds = Array.from({ length: Math.max(0, outputs - 1) }, () => ({
    input: cursor.number(),
    output: cursor.number(),
  }))
  const count = inputs - bonds.length
  const free = Array.from({ length: inputs }, (_, index) => index).filter(
    (index) => !bonds.some(({ input }) => input === index),
  )
  const packed = count > 1 ? Array.from({ length: count }, () => cursor.number()) : free
  return { coders, bonds, packed }
}

function few(count: number): number {
  if (count > mostCoders) throw new CorruptData()
  return count
}

/** Which coder's output no other coder takes. @throws CorruptData where each is taken, or has several */
function lastOf({ coders, bonds }: WrittenFolder): number {
  const last = coders.findIndex((_, index) => !bonds.some(({ output }) => output === index))
  if (last === -1 || coders.some(({ outputs }) => outputs !== 1)) throw new CorruptData()
  return last
}

/** A coder with all that it reads. @throws CorruptData where it reads from itself, or from nowhere */
function coderAt(
  folder: WrittenFolder,
  index: number,
  sizes: readonly number[],
  packed: readonly Packed[],
  depth: number,
): Coder {
  const { coders, bonds } = folder
  const coder = coders[index]
  if (coder === undefined || depth > mostCoders) throw new CorruptData()
  const first = coders.slice(0, index).reduce((sum, { inputs }) => sum + inputs, 0)
  const inputs = Array.from({ length: coder.inputs }, (_, offset) => {
    const bond = bonds.find(({ input }) => input === first + offset)
    if (bond !== undefined) return coderAt(folder, bond.output, sizes, packed, depth + 1)
    const stream = packed[folder.packed.indexOf(first + offset)]
    if (stream === undefined) throw new CorruptData()
    return stream
  })
  return { method: coder.method, properties: coder.properties, size: sizes[index] ?? 0, inputs }
}

/** How many files are in each folder, how large they are (but the last), and their checksums. */
function readFiles(
  cursor: Cursor,
  folders: readonly WrittenFolder[],
  sizes: readonly (readonly number[])[],
  crcs: readonly (number | null)[],
): Folder['files'][] {
  let counts = folders.map(() => 1)
  let written: number[][] | null = null
  let digests: (number | null)[] = []
  const knows = (index: number) => counts[index] === 1 && (crcs[index] ?? null) !== null
  for (let id = cursor.byte(); id !== end; id = cursor.byte()) {
    if (id === countsId) counts = folders.map(() => cursor.count())
    else if (id === sizesId)
      written = counts.map((count) => Array.from({ length: Math.max(0, count - 1) }, () => cursor.number()))
    else if (id === digestsId)
      digests = cursor.digests(counts.reduce((sum, count, index) => sum + (knows(index) ? 0 : count), 0))
    else throw new CorruptData()
  }
  let next = 0
  return folders.map((folder, index) => {
    const count = counts[index] ?? 0
    const own = written?.[index] ?? []
    const whole = sizes[index]?.[lastOf(folder)] ?? 0
    const last = whole - own.reduce((sum, size) => sum + size, 0)
    return Array.from({ length: count }, (_, file) => ({
      size: file === count - 1 ? last : (own[file] ?? 0),
      crc: knows(index) ? (crcs[index] ?? null) : (digests[next++] ?? null),
    }))
  })
}
