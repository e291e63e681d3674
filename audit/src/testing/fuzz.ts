import { formatOf } from '../formats/registry.ts'
import { createCanaries, listRooms, overwrite } from '../self-test/canary.ts'
import { auditInMemory } from './audit-files.ts'

/** Whole numbers from 0 to one less than the argument; the same seed gives the same numbers. */
export type Random = (below: number) => number

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // Mulberry32.
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Numbers that make readers overflow, loop and run past the end. */
const telling = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x10000, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff]

/** A damaged copy: bytes and words changed, most of them near the beginning, pieces cut out, doubled or moved. */
export function mutate(bytes: Buffer, random: Random): Buffer {
  let copy = Buffer.from(bytes)
  for (let times = 1 + random(5); times > 0 && copy.length > 16; times--) {
    const kind = random(12)
    // Tables and headers are at the beginning or at the end.
    const reach =
      [copy.length, Math.min(copy.length, 256), Math.min(copy.length, 4096)][random(3)] ?? copy.length
    const at = random(4) === 0 ? copy.length - 1 - random(Math.min(64, copy.length - 1)) : random(reach)
    const word = Math.min(at, copy.length - 4)
    if (kind < 4) copy[at] = random(256)
    else if (kind < 6) copy[at] = (copy[at] ?? 0) ^ (1 << random(8))
    else if (kind < 8) copy.writeUInt32LE(telling[random(telling.length)] ?? 0, word)
    else if (kind === 8) copy.writeUInt32LE((copy.readUInt32LE(word) + random(9) - 4) >>> 0, word)
    else if (kind === 9) copy = Buffer.from(copy.subarray(0, 1 + random(copy.length)))
    else {
      // Something has to be left.
      const length = Math.min(1 + random(64), copy.length - at, copy.length - 1)
      const piece = copy.subarray(at, at + length)
      const rest = copy.subarray(at + length)
      copy = Buffer.concat([copy.subarray(0, at), ...(kind === 10 ? [] : [piece, piece]), rest])
    }
  }
  return copy
}

const nextKey = (random: Random, length: number) => createCanaries('ac_live_', random)(length - 8).key

/** Writes a key over a string of the file, as long as that one. `null` where none is long enough. */
export function hostOf(name: string, bytes: Buffer, random: Random) {
  const { isText, read } = formatOf(name, bytes)
  const copy = Buffer.from(bytes)
  if (isText) {
    const key = nextKey(random, 32)
    return overwrite(copy, listRooms(bytes, isText), Buffer.from(key), isText)
      ? { name, bytes: copy, key }
      : null
  }
  const room = [...(read?.(bytes).extents ?? [])].find(
    ({ start, end, view, role }) => view === 'utf-8' && role === 'value' && end - start >= 32,
  )
  if (room === undefined) return null
  const key = nextKey(random, room.end - room.start)
  copy.write(key, room.start)
  return { name, bytes: copy, key }
}

/** Gives the fault in the audit of a damaged file; `null` where there is none. */
export async function faultOf(name: string, bytes: Buffer, key: string): Promise<string | null> {
  let result: Awaited<ReturnType<typeof auditInMemory>>
  try {
    result = await auditInMemory({ location: name, name, bytes })
  } catch (error) {
    return `crash: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ') ?? String(error)}`
  }
  const isSilent = result.gaps.length === 0 && result.findings.every(({ kind }) => kind !== 'key')
  return isSilent && bytes.includes(key) ? 'silent: it was passed over without a finding or a gap' : null
}
