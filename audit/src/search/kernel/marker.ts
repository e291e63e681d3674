import { AuditError } from '../../model/audit-error.ts'
import { kernelBase64 } from './bytes.ts'

/** Four classes of bytes, one after the other, and the bucket (0 to 7) that shares their tables with it. */
export interface Pattern {
  readonly bucket: number
  readonly classes: readonly (readonly number[])[]
}

/** Three differences (XOR) between neighbours. */
export type Differences = readonly [number, number, number]

/**
 * Called for a place that may be looked for, more often than it is: `word` is its four bytes in little endian, `buckets`
 * has a bit for each bucket that allows them, and `xorBucket` where the differences fit.
 */
export type Visit = (offset: number, word: number, buckets: number) => void

export const xorBucket = 1 << 8

/** Visits, in one pass, every place whose four bytes pass the patterns or have the differences. */
export type Marker = (bytes: Buffer, visit: Visit) => void

/** Addresses in the kernel's memory, as its source has them. */
const resumeAt = 144
const marksAt = 1024
const patternsAt = 66_560
const bytesAt = 74_752
const chunk = 256 * 1024
const margin = 32

interface Kernel {
  readonly memory: WebAssembly.Memory
  mark(at: number, end: number, d0: number, d1: number, d2: number): number
}

/** @throws AuditError where the platform has no SIMD */
export function createMarker(
  patterns: readonly Pattern[],
  [d0, d1, d2]: Differences = noDifferences,
): Marker {
  const kernel = new WebAssembly.Instance(compiled()).exports as unknown as Kernel
  const memory = new Uint8Array(kernel.memory.buffer)
  const fits = new Uint32Array(kernel.memory.buffer, patternsAt, 4 * 256 * 2)
  for (const [index, pattern] of patterns.entries()) {
    allow(memory, pattern)
    tell(fits, pattern, index % differentPatterns)
  }
  const marks = new Uint32Array(kernel.memory.buffer, marksAt, (patternsAt - marksAt) / 4)
  const words = new DataView(kernel.memory.buffer)
  return (bytes, visit) => {
    for (let start = 0; start < bytes.length; start += chunk) {
      const length = Math.min(bytes.length - start, chunk)
      const copied = Math.min(bytes.length - start, chunk + margin)
      memory.set(copied === bytes.length ? bytes : bytes.subarray(start, start + copied), bytesAt)
      memory.fill(0, bytesAt + copied, bytesAt + copied + margin)
      for (let at = bytesAt; at < bytesAt + length; at = words.getUint32(resumeAt, true)) {
        const count = kernel.mark(at, bytesAt + length, d0, d1, d2)
        for (let mark = 0; mark < count * 2; mark += 2) {
          const address = marks[mark] as number
          visit(start + address - bytesAt, words.getUint32(address, true), marks[mark + 1] as number)
        }
      }
    }
  }
}

/** Differences that no text has: a high bit in every other byte. */
const noDifferences: Differences = [0x80, 0x80, 0x80]

/** In the tables of the buckets: for each of four bytes, which buckets allow a low and a high half. */
function allow(memory: Uint8Array, { bucket, classes }: Pattern): void {
  classes.forEach((allowed, place) => {
    const halves = new Set<number>()
    for (const byte of allowed) halves.add(byte & 15).add(16 + (byte >> 4))
    for (const half of halves) {
      const address = place * 32 + half
      memory[address] = (memory[address] ?? 0) | (1 << bucket)
    }
  })
}

/** Beyond this number, patterns share a bit: a marked place may fit one of them here, another there. */
const differentPatterns = 64

/** In the tables of the patterns: for each of four bytes, which patterns allow it, in two words. */
function tell(fits: Uint32Array, { classes }: Pattern, bit: number): void {
  classes.forEach((allowed, place) => {
    for (const byte of allowed) {
      const at = (place * 256 + byte) * 2 + (bit >> 5)
      fits[at] = (fits[at] ?? 0) | (1 << (bit & 31))
    }
  })
}

let module: WebAssembly.Module | undefined

/** The kernel, compiled once. @throws AuditError where the platform has no SIMD */
function compiled(): WebAssembly.Module {
  try {
    module ??= new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'))
    return module
  } catch (error) {
    throw new AuditError('usage', 'the audit needs a Node with WebAssembly and SIMD', error)
  }
}
