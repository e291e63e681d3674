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
  /** Strings that the code of a virtual machine loads with their lengths. */
  readonly loaded?: Iterable<Reference>
}

/** An address that the loader writes, and the place in the file where it does. */
export interface Relocated {
  readonly at: number
  readonly address: number
}

/** The offset in the file of an address in memory; -1 where the file has nothing there. Segments are sorted by address. */
export function offsetOf({ segments }: Pick<Image, 'segments'>, address: number): number {
  let low = 0
  for (let high = segments.length; low < high; ) {
    const middle = (low + high) >>> 1
    if ((segments[middle]?.address ?? 0) <= address) low = middle + 1
    else high = middle
  }
  const segment = segments[low - 1]
  if (segment === undefined || address >= segment.address + segment.end - segment.start) return -1
  return segment.start + address - segment.address
}

/** A string of a program: its address in memory, and its length. */
export type Reference = readonly [address: number, length: number]

/** The address of an offset in the file. */
export function addressOf({ segments }: Pick<Image, 'segments'>, offset: number): number {
  const segment = segments.find(({ start, end }) => start <= offset && offset <= end)
  return segment === undefined ? Number.NaN : segment.address + offset - segment.start
}

/** Addresses of texts. */
export interface Texts {
  has(address: number): boolean
}
