import { crc32 } from 'node:zlib'
import { cutOff, type Decompressed, overLimit } from './compressed-file.ts'
import type { Member, OpeningOf, Problem } from './container-format.ts'
import { CorruptData } from './growing-output.ts'
import { type Coder, type Folder, type Listing, type Packed, readListing } from './sevenzip-header.ts'
import { methods } from './sevenzip-methods.ts'

const mark = Buffer.from('377abcaf271c', 'hex')

export const sevenZip: OpeningOf<'members'> = {
  opens: 'members',
  name: '7z',
  begins: [mark],
  read: (_, bytes, bound) => (is7z(bytes) ? read7z(bytes, bound) : []),
  isHead: is7z,
}

function is7z(bytes: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

const encrypted: Problem = { kind: 'encrypted', reason: 'encrypted 7z archive' }
const unsupported: Problem = {
  kind: 'unsupported',
  reason: '7z compression that cannot be opened: unpack it with 7z x, and audit the result',
}
const corrupt: Problem = { kind: 'corrupt', reason: 'the 7z archive is corrupt or cut off' }

class CannotBeOpened extends Error {
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.reason)
    this.problem = problem
  }
}

function* read7z(file: Buffer, bound: number): Generator<Member> {
  let listing: Listing
  try {
    listing = readListing(file, (folder) => {
      const { bytes, problem } = expand(file, folder, bound)
      if (problem !== undefined) throw new CannotBeOpened(problem)
      return bytes
    })
  } catch (error) {
    yield { name: null, bytes: null, problem: problemOf(error) }
    return
  }
  let next = 0
  for (const folder of listing.folders) {
    const { bytes, problem } = expand(file, folder, bound)
    if (problem !== undefined) yield { name: null, bytes: null, problem }
    let start = 0
    for (const { size, crc } of folder.files) {
      const name = listing.names[next] ?? `file ${next}`
      next += 1
      const own = bytes.subarray(start, start + size)
      start += size
      if (own.length === 0) continue
      const isRight = crc === null || problem !== undefined || crc32(own) === crc
      yield isRight ? { name, bytes: own } : { name, bytes: own, problem: wrongSum }
    }
  }
}

const wrongSum: Problem = { kind: 'corrupt', reason: 'the checksum does not match' }

function problemOf(error: unknown): Problem {
  if (error instanceof CannotBeOpened) return error.problem
  if (error instanceof CorruptData || error instanceof RangeError) return corrupt
  throw error
}

function expand(file: Buffer, { coder }: Folder, bound: number): { bytes: Buffer; problem?: Problem } {
  const used = [...methodsOf(coder)]
  if (used.some((method) => method.startsWith('06f107'))) return { bytes: none, problem: encrypted }
  if (used.some((method) => methods[method] === undefined)) return { bytes: none, problem: unsupported }
  const { bytes, end } = outputOf(file, coder, bound)
  const problem = { whole: undefined, corrupt: cutOff, limit: overLimit }[end]
  return problem === undefined ? { bytes: bytes ?? none } : { bytes: bytes ?? none, problem }
}

function* methodsOf({ method, inputs }: Coder): Generator<string> {
  yield method
  for (const input of inputs) if ('inputs' in input) yield* methodsOf(input)
}

/** Step by step; of what is cut off, what came before. */
function outputOf(file: Buffer, coder: Coder, bound: number): Decompressed {
  const inputs = coder.inputs.map((input) =>
    'inputs' in input ? outputOf(file, input, bound) : partOf(file, input),
  )
  if (inputs.some(({ end }) => end === 'limit')) return { bytes: null, end: 'limit' }
  const out = methods[coder.method]?.(
    inputs.map(({ bytes }) => bytes ?? none),
    coder,
    bound,
  )
  const isCut = out === undefined || inputs.some(({ end }) => end === 'corrupt')
  return isCut && out?.end !== 'limit' ? { bytes: out?.bytes ?? null, end: 'corrupt' } : out
}

function partOf(file: Buffer, { start, end }: Packed): Decompressed {
  return { bytes: file.subarray(start, end), end: end > file.length ? 'corrupt' : 'whole' }
}

const none = Buffer.alloc(0)
