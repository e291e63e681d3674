/** Counts up to each stretch of a file, as far as it was counted. */
interface Counted {
  /** Characters, as editors count them: UTF-16 units. */
  readonly units: number[]
  /** Ends of lines. */
  readonly ends: number[]
  /** Where the line begins that the stretch begins in. */
  readonly lineStarts: number[]
}

const known = new WeakMap<Buffer, Counted>()
/** Short, since the part of one before a place is counted for each place. */
const stretch = 512

/** Stretches are counted once, in whatever order places are asked for. */
function countedUntil(bytes: Buffer, index: number): Counted {
  const counted = known.get(bytes) ?? { units: [0], ends: [0], lineStarts: [0] }
  known.set(bytes, counted)
  const { units, ends, lineStarts } = counted
  while (units.length <= index) {
    const last = units.length - 1
    const [from, to] = [last * stretch, (last + 1) * stretch]
    units.push((units[last] ?? 0) + unitsIn(bytes, from, to))
    ends.push((ends[last] ?? 0) + endsIn(bytes, from, to))
    lineStarts.push(lineStartIn(bytes, from, to) ?? lineStarts[last] ?? 0)
  }
  return counted
}

/** The line of an offset, counted from 1. */
export function lineOf(bytes: Buffer, offset: number): number {
  const index = Math.floor(Math.min(offset, bytes.length) / stretch)
  return 1 + (countedUntil(bytes, index).ends[index] ?? 0) + endsIn(bytes, index * stretch, offset)
}

/** The column of an offset in UTF-8, counted from 1. */
export function columnOf(bytes: Buffer, offset: number): number {
  const at = Math.min(offset, bytes.length)
  const index = Math.floor(at / stretch)
  const counted = countedUntil(bytes, index)
  const lineStart = lineStartIn(bytes, index * stretch, at) ?? counted.lineStarts[index] ?? 0
  return 1 + unitsUntil(counted, bytes, at) - unitsUntil(counted, bytes, lineStart)
}

function endsIn(bytes: Buffer, from: number, to: number): number {
  const part = bytes.subarray(from, to)
  let count = 0
  for (let at = part.indexOf(10); at !== -1; at = part.indexOf(10, at + 1)) count += 1
  return count
}

/** Behind the last end of a line between two offsets; `null` without one. */
function lineStartIn(bytes: Buffer, from: number, to: number): number | null {
  const end = bytes.subarray(from, to).lastIndexOf(10)
  return end === -1 ? null : from + end + 1
}

function unitsUntil({ units }: Counted, bytes: Buffer, offset: number): number {
  const index = Math.floor(offset / stretch)
  return (units[index] ?? 0) + unitsIn(bytes, index * stretch, offset)
}

function unitsIn(bytes: Buffer, from: number, to: number): number {
  let units = 0
  for (let at = from; at < Math.min(to, bytes.length); at++) {
    const byte = bytes[at] ?? 0
    // Four bytes make two units, and bytes that continue a character make none.
    units += byte >= 0xf0 ? 2 : byte >= 0xc0 || byte < 0x80 ? 1 : 0
  }
  return units
}
