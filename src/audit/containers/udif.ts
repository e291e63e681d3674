import { inflateSync } from 'node:zlib'
import { expandBzip2 } from './bzip2.ts'
import { overLimit } from './compressed-file.ts'
import type { Member, OpeningOf, Problem } from './container-format.ts'
import { append, CorruptData, createOutput, isOverBound, type Output } from './growing-output.ts'
import { xz } from './xz.ts'

/** Apple's disk images: a list of blocks in a property list, before a trailer. */

const trailerBytes = 512
const mark = 0x6b6f6c79
const tableMark = 0x6d697368
const sector = 512
const rowBytes = 40

export const diskImage: OpeningOf<'members'> = {
  opens: 'members',
  name: 'disk image',
  mayBe: isDiskImage,
  read: (_, bytes, bound) => (isDiskImage(bytes) ? readImage(bytes, bound) : []),
  isTail: isDiskImage,
}

/** One that is too large to be in memory is known by its name: its mark is at the end. */
export const largeDiskImage: OpeningOf<'contents'> = {
  opens: 'contents',
  name: 'large disk image',
  suffixes: ['.dmg'],
  expand: () => null,
  openLarge: (name) => (/\.dmg$/i.test(name) ? 'a disk image' : null),
}

function isDiskImage(bytes: Buffer): boolean {
  return bytes.length >= trailerBytes && bytes.readUInt32BE(bytes.length - trailerBytes) === mark
}

const corrupt: Problem = { kind: 'corrupt', reason: 'the disk image is corrupt or cut off' }
const unsupported: Problem = {
  kind: 'unsupported',
  reason:
    'compressed blocks of a disk image that cannot be opened: unpack it with 7z x, and audit the result',
}
/** Files in a file system are found where they are plain, and not opened. */
const unopened: Problem = {
  kind: 'unsupported',
  reason: 'the files in a disk image are not opened: unpack it with 7z x, and audit the result',
}

class CannotBeOpened extends Error {}

function* readImage(file: Buffer, bound: number): Generator<Member> {
  const trailer = file.length - trailerBytes
  const start = Number(file.readBigUInt64BE(trailer + 216))
  const size = Number(file.readBigUInt64BE(trailer + 224))
  const list = file.toString('latin1', start, Math.min(trailer, start + size))
  const tables = [...list.matchAll(/<data>([^<]*)<\/data>/g)]
    .map(([, data = '']) => Buffer.from(data, 'base64'))
    .filter((table) => table.length > 204 && table.readUInt32BE(0) === tableMark)
  const dataStart = Number(file.readBigUInt64BE(trailer + 24))
  yield { name: null, bytes: null, problem: tables.length === 0 ? corrupt : unopened }
  for (const [index, table] of tables.entries()) {
    const output = createOutput(bound, file.length)
    const problem = readPartition(file, dataStart, table, output)
    const bytes = output.size === 0 ? null : output.bytes.subarray(0, output.size)
    const name = `partition ${index}`
    if (problem !== undefined) yield { name, bytes, problem }
    else if (bytes !== null) yield { name, bytes }
  }
}

/** @returns what could not be read of it */
function readPartition(file: Buffer, dataStart: number, table: Buffer, output: Output): Problem | undefined {
  const count = Math.min(table.readUInt32BE(200), Math.floor((table.length - 204) / rowBytes))
  let problem: Problem | undefined
  for (let row = 0; row < count; row++) {
    const at = 204 + row * rowBytes
    const start = dataStart + Number(table.readBigUInt64BE(at + 24))
    const end = start + Number(table.readBigUInt64BE(at + 32))
    const size = Number(table.readBigUInt64BE(at + 16)) * sector
    try {
      if (end > file.length) throw new CorruptData()
      expandRun(file.subarray(start, end), table.readUInt32BE(at), size, output)
    } catch (error) {
      if (isOverBound(error)) return overLimit
      problem = error instanceof CannotBeOpened ? unsupported : corrupt
    }
  }
  return problem
}

const [zeros, raw, free, zlibRun, bzip2Run, xzRun, comment, end] = [
  0, 1, 2, 0x8000_0005, 0x8000_0006, 0x8000_0008, 0x7fff_fffe, 0xffff_ffff,
]

/** @throws CannotBeOpened for the runs of LZFSE and ADC */
function expandRun(bytes: Buffer, kind: number, size: number, output: Output): void {
  if (kind === comment || kind === end) return
  if (kind === zeros || kind === free) append(output, Buffer.alloc(Math.min(size, output.bound + 1)))
  else if (kind === raw) append(output, bytes)
  else if (kind === zlibRun) append(output, inflateSync(bytes, { maxOutputLength: Math.max(1, size) }))
  else if (kind === bzip2Run) append(output, expandBzip2(bytes, size).bytes ?? none)
  else if (kind === xzRun) append(output, xz.expand('', bytes, size)?.bytes ?? none)
  else throw new CannotBeOpened()
}

const none = Buffer.alloc(0)
