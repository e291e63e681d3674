import { compiled } from './compiled.ts'

/** A class of bytes, by its bit in the classes of each byte; a digit that is worth a closer look has to be decoded. */
export const classes = { digits: 1, lists: 2, escapes: 4, hex: 8, base64: 16 } as const

export interface Bytes {
  /** The classes of each byte, as bits. */
  readonly classes: Uint8Array
  /** The value of each byte in base64. */
  readonly sextets: Uint8Array
}

/**
 * Long stretches, each as its start, its end, and 1 where decoding it would look closer: of digits only those, and what
 * may be a line of a wrapped value.
 */
export interface Runs {
  readonly digits: readonly number[]
  /** Digits in UTF-16LE. */
  readonly wide: readonly number[]
  /** Numbers and what separates them. */
  readonly lists: readonly number[]
}

/** Finds them; none in UTF-16 where the bytes are narrow. */
export type RunFinder = (bytes: Buffer, isNarrow: boolean) => Runs

/** Addresses in the kernel's memory, as its source has them. */
const resumeAt = 144
const runsAt = 1024
const classesAt = 66_560
const sextetsAt = 66_816
const bytesAt = 74_752
const chunk = 256 * 1024

interface Kernel {
  readonly memory: WebAssembly.Memory
  runs(start: number, end: number, ofClass: number, width: number, isLast: number): number
}

/** `null` where the platform has no SIMD. */
export function createRunFinder({ classes: ofBytes, sextets }: Bytes): RunFinder | null {
  const module = compiled()
  if (module === null) return null
  const kernel = new WebAssembly.Instance(module).exports as unknown as Kernel
  const memory = new Uint8Array(kernel.memory.buffer)
  memory.set(ofBytes, classesAt)
  memory.set(sextets, sextetsAt)
  const cells = new Int32Array(kernel.memory.buffer)
  const endOf = (bytes: Buffer, ofClass: number, width: number, from: number) => {
    let at = from
    while (at + width <= bytes.length) {
      if (((ofBytes[bytes[at] as number] as number) & ofClass) === 0) break
      if (width === 2 && bytes[at + 1] !== 0) break
      at += width
    }
    return at
  }
  const find = (bytes: Buffer, ofClass: number, width: 1 | 2, from: number, found: number[]) => {
    const { length } = bytes
    for (let start = from; start < length; ) {
      const size = Math.min(chunk, length - start)
      if (length > chunk) memory.set(bytes.subarray(start, start + size), bytesAt)
      const isLast = start + size === length
      const begin = length > chunk ? bytesAt : bytesAt + start
      const count = kernel.runs(begin, begin + size, ofClass, width, Number(isLast))
      const shift = start - begin
      for (let at = runsAt / 4, end = at + count * 2; at < end; at += 2) {
        const first = cells[at] as number
        found.push((first & 0x7fff_ffff) + shift, (cells[at + 1] as number) + shift, first < 0 ? 1 : 0)
      }
      if (isLast) return
      const resumed = (cells[resumeAt / 4] as number) + shift
      if (resumed > start) {
        start = resumed
        continue
      }
      // A stretch that is longer than what was looked at.
      const end = endOf(bytes, ofClass, width, start + size - (size % width))
      found.push(start, end, 1)
      start = end + width
    }
  }
  return (bytes, isNarrow) => {
    const found: [number[], number[], number[]] = [[], [], []]
    if (bytes.length <= chunk) memory.set(bytes, bytesAt)
    find(bytes, classes.digits, 1, 0, found[0])
    if (!isNarrow) for (const from of [0, 1]) find(bytes, classes.digits, 2, from, found[1])
    find(bytes, classes.lists, 1, 0, found[2])
    return { digits: found[0], wide: found[1], lists: found[2] }
  }
}
