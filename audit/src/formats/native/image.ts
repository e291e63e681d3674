/** A part of a native program that is in memory while it runs. */
export interface Segment {
  /** `[start, end)` in the file. */
  readonly start: number
  readonly end: number
  /** Where in memory it begins. */
  readonly address: number
}

/** A native program as it lies in memory. */
export interface Image {
  readonly segments: readonly Segment[]
  readonly machine: 'x86-64' | 'arm64' | null
  readonly isLittle: boolean
  readonly isWide: boolean
  /** True where Windows says which registers arguments are in. */
  readonly isWindows?: true
  readonly relocated?: Iterable<Relocated>
}

/** An address that the loader writes, and the place in the file where it does. */
export interface Relocated {
  readonly at: number
  readonly address: number
}

/** The offset in the file of an address in memory; -1 where the file has nothing there. */
export function offsetOf({ segments }: Image, address: number): number {
  for (const { start, end, address: first } of segments)
    if (address >= first && address < first + end - start) return start + address - first
  return -1
}

/** A string of a program: its address in memory, and its length. */
export type Reference = readonly [address: number, length: number]
