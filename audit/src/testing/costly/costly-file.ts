/** A file that may cost its readers more than its size is worth. */
export interface CostlyFile {
  /** How the file is called. */
  readonly file: string
  /** About as many bytes as asked for. */
  readonly bytes: (size: number) => Buffer
}

/** By what makes them costly. */
export type CostlyFiles = Readonly<Record<string, CostlyFile>>

/** A finding, so that the tables of a file are read. */
export const key = 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js'

/** Numbers of one width one after the other. */
export function words(width: 1 | 2 | 4, numbers: readonly number[], isBig = false): Buffer {
  const bytes = Buffer.alloc(width * numbers.length)
  for (const [index, number] of numbers.entries())
    if (isBig) bytes.writeUIntBE(number % 2 ** (8 * width), index * width, width)
    else bytes.writeUIntLE(number % 2 ** (8 * width), index * width, width)
  return bytes
}

export const u16 = (...numbers: number[]) => words(2, numbers)
export const u32 = (...numbers: number[]) => words(4, numbers)
export const u16be = (...numbers: number[]) => words(2, numbers, true)
export const u32be = (...numbers: number[]) => words(4, numbers, true)

/** A piece again and again, until there are so many bytes. */
export function filled(size: number, piece: Buffer | string): Buffer {
  return Buffer.alloc(Math.max(0, size), piece)
}

/** Numbered pieces, until there are so many bytes. */
export function numbered(size: number, piece: (index: number) => Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let length = 0; length < size; ) {
    const next = piece(pieces.length)
    pieces.push(next)
    length += next.length
  }
  return Buffer.concat(pieces)
}

/** As many times as pieces of this length fit. */
export function times(size: number, length: number): number {
  return Math.max(1, Math.floor(size / length))
}
