import { cutOff, overLimit } from './compressed-file.ts'
import type { Member, OpeningOf, Problem } from './container-format.ts'
import { inflate } from './inflate.ts'

const mark = Buffer.from('PACK')
const headBytes = 12
/** Kinds of objects: a change to an object far before it, and one to an object that is named. */
const [farDelta, namedDelta] = [6, 7]
const nameBytes = 20
const mostObjects = 100_000
const tooFew: Problem = { kind: 'disagreement', reason: 'the pack has more than the objects that it states' }

/** The objects of a Git repository in one file, each in zlib. Loose objects are files in zlib themselves. */
export const gitPack: OpeningOf<'members'> = {
  opens: 'members',
  name: 'git pack',
  begins: [mark],
  mayBe: isBundle,
  read(_, bytes, bound) {
    const pack = isBundle(bytes) ? bytes.subarray(packIn(bytes)) : bytes
    return isPack(pack) ? readObjects(pack, bound) : []
  },
  isHead: isPack,
}

/** A pack behind lines that name its references. */
function isBundle(bytes: Buffer): boolean {
  return ['# v2 git bundle\n', '# v3 git bundle\n'].includes(bytes.toString('latin1', 0, 16))
}

const endOfReferences = Buffer.from('\n\nPACK')

function packIn(bytes: Buffer): number {
  const at = bytes.indexOf(endOfReferences)
  return at === -1 ? bytes.length : at + 2
}

function isPack(bytes: Buffer): boolean {
  if (bytes.length < headBytes || !bytes.subarray(0, mark.length).equals(mark)) return false
  const version = bytes.readUInt32BE(4)
  return version === 2 || version === 3
}

/** Room for all objects of a file, so that many small streams do not become more than one large one. */
const plausibleRatio = 40

function* readObjects(bytes: Buffer, bound: number): Generator<Member> {
  const count = bytes.readUInt32BE(8)
  let room = Math.max(bound, bytes.length * plausibleRatio)
  let at = headBytes
  for (let index = 0; index < count; index++) {
    const start = streamAt(bytes, at)
    const object = start === null ? null : inflate(bytes.subarray(start), Math.min(bound, room))
    if (start === null || object === null) {
      yield { name: null, bytes: null, problem: cutOff }
      return
    }
    if (object === 'over' || index >= mostObjects) {
      yield { name: null, bytes: null, problem: overLimit }
      return
    }
    room -= object.bytes.length
    yield { name: `object at ${at}`, bytes: object.bytes }
    at = start + object.used
  }
  // Behind the objects there is a checksum, and nothing else.
  if (at + nameBytes < bytes.length) yield { name: null, bytes: null, problem: tooFew }
}

/** Where the stream of an object begins, behind its kind, its size and what it is a change to; `null` where the file ends. */
function streamAt(bytes: Buffer, from: number): number | null {
  let at = from
  const kind = ((bytes[at] ?? 0) >> 4) & 7
  while ((bytes[at] ?? 0) >= 0x80) at += 1
  at += 1
  if (kind === farDelta) {
    while ((bytes[at] ?? 0) >= 0x80) at += 1
    at += 1
  } else if (kind === namedDelta) at += nameBytes
  return at < bytes.length ? at : null
}
