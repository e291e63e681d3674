import { compiled } from './compiled.ts'

/** Characters of two classes, as tables of 256. */
export interface Classes {
  readonly first: Uint8Array
  readonly second: Uint8Array
}

/** Where runs begin and end, in turns: of 40 characters and more of a class, and of the first class in UTF-16LE. */
export interface Runs {
  readonly first: readonly number[]
  readonly second: readonly number[]
  readonly wide: readonly number[]
  /** Where two bytes are as at the beginning of compressed data. */
  readonly heads: readonly number[]
}

export type RunFinder = (bytes: Buffer) => Runs

/** Addresses in the kernel's memory, as its source has them. */
const resumeAt = 144
const classesAt = [160, 192] as const
const statesAt = 224
const carriedAt = 236
const runsAt = 1024
const bytesAt = 74_752
const chunk = 256 * 1024
const margin = 128
/** A byte of no class that is not zero. */
const foreign = 0xff

interface Kernel {
  readonly memory: WebAssembly.Memory
  runs(at: number, end: number, base: number): number
}

/** `null` where the platform has no SIMD, or where a class does not fit into tables of half bytes. */
export function createRunFinder({ first, second }: Classes): RunFinder | null {
  const module = compiled()
  const tables = [tablesOf(first), tablesOf(second)] as const
  if (module === null || tables[0] === null || tables[1] === null) return null
  const kernel = new WebAssembly.Instance(module).exports as unknown as Kernel
  const memory = new Uint8Array(kernel.memory.buffer)
  memory.set(tables[0], classesAt[0])
  memory.set(tables[1], classesAt[1])
  const cells = new Int32Array(kernel.memory.buffer)
  return (bytes) => {
    const found = [[], [], []] as [number[], number[], number[]]
    const heads: number[] = []
    cells.fill(-1, statesAt / 4, carriedAt / 4)
    cells[carriedAt / 4] = 0
    for (let start = 0; start < bytes.length; start += chunk) {
      const left = bytes.length - start
      const copied = Math.min(left, chunk + margin)
      memory.set(copied === bytes.length ? bytes : bytes.subarray(start, start + copied), bytesAt)
      memory.fill(foreign, bytesAt + copied, bytesAt + copied + margin)
      // One byte behind the last ends what has not ended.
      const end = bytesAt + (left > chunk ? chunk : left + 1)
      for (let at = bytesAt; at < end; at = cells[resumeAt / 4] as number) {
        const last = runsAt / 4 + kernel.runs(at, end, start - bytesAt) * 3
        for (let run = runsAt / 4; run < last; run += 3) {
          const kind = cells[run + 2] as 0 | 1 | 2 | 3
          if (kind === 3) heads.push(cells[run] as number)
          else found[kind].push(cells[run] as number, cells[run + 1] as number)
        }
      }
    }
    return { first: found[0], second: found[1], wide: found[2], heads }
  }
}

/**
 * A table for the low half of a byte and one for the high half: what has a bit in common belongs to the class. `null`
 * where that takes more than eight bits.
 */
function tablesOf(members: Uint8Array): Uint8Array | null {
  const tables = new Uint8Array(32)
  const bits = new Map<string, number>()
  for (let high = 0; high < 16; high++) {
    const row = members.subarray(high * 16, high * 16 + 16)
    const key = row.join('')
    if (!row.includes(1)) continue
    const bit = bits.get(key) ?? 1 << bits.size
    bits.set(key, bit)
    tables[16 + high] = bit
    for (let low = 0; low < 16; low++) if (row[low] === 1) tables[low] = (tables[low] ?? 0) | bit
  }
  return bits.size > 8 ? null : tables
}
