import type { Transform } from 'node:stream'
import type { GapKind } from '../model/finding.ts'
import type { Source } from './source.ts'
import type { Zip } from './zip-headers.ts'

/** Signs by which a cheap look recognises a file. The look is right wherever it says no. */
interface Look {
  /** How such a file begins, in any of these ways. The first two bytes of each decide the look, so each has two or more. */
  readonly begins?: readonly Buffer[]
  /** Endings of its names, with the dot, for a format without a mark. */
  readonly suffixes?: readonly string[]
  /** A mark in another place. */
  mayBe?(bytes: Buffer): boolean
}

/** A format that no look could find does not compile. */
type Findable =
  | Required<Pick<Look, 'begins'>>
  | Required<Pick<Look, 'suffixes'>>
  | Required<Pick<Look, 'mayBe'>>

/** An archive whose entries have to be decompressed, each by itself. */
interface EntriesFormat {
  readonly opens: 'entries'
  readonly name: string
  /** `null` where the bytes hold no such archive. */
  read(source: Source): Zip | null
  /**
   * Says whether the first bytes alone identify a file. This recognises one that is too large to be opened
   * where it is.
   */
  isHead?(head: Buffer): boolean
}

/** An archive whose entries are in it as they are. */
interface PartsFormat {
  readonly opens: 'parts'
  readonly name: string
  /** `null` where the bytes are no such archive. */
  read(source: Source): Parts | null
  isHead?(head: Buffer): boolean
}

export interface Parts {
  readonly entries: readonly Part[]
  /** Headers, padding and what no entry accounts for: `[start, end)`. */
  readonly rest: readonly (readonly [start: number, end: number])[]
  readonly problem: Problem | null
}

export interface Part {
  readonly name: string | Buffer
  readonly start: number
  readonly end: number
}

/** A stream of zlib, which counts the bytes of its input that it has used. */
export type Decompressor = Transform & { readonly bytesWritten: number }

/** A file that is made of another one by compression. */
interface ContentsFormat {
  readonly opens: 'contents'
  readonly name: string
  /** Expands the file to at most `bound` bytes; `null` where it is of another format. */
  expand(name: string, bytes: Buffer, bound: number): Expanded | null
  /**
   * A decompressor for a file that is too large to be in memory whole, or the name of a format that has to be in memory;
   * `null` where the file is of another format.
   */
  openLarge(name: string, head: Buffer): Decompressor | string | null
}

/**
 * The contents of a compressed file; `problem` where it holds more, or something else, than could be read.
 */
export interface Expanded {
  readonly name: string
  readonly bytes: Buffer | null
  /** How many bytes of the file that took: what follows is something else. */
  readonly consumed?: number
  readonly problem?: Problem | undefined
}

/** Why something of a file could not be read, or not all of it. */
export interface Problem {
  readonly kind: Extract<GapKind, 'corrupt' | 'limit' | 'unsupported' | 'encrypted' | 'disagreement'>
  readonly reason: string
}

/** A file whose own bytes are read as well, and that has others packed into it. */
interface MembersFormat {
  readonly opens: 'members'
  readonly name: string
  /** `bound` is how large one may become. Yields none of another format. */
  read(name: string, bytes: Buffer, bound: number): Iterable<Member>
  isHead?(head: Buffer, name: string): boolean
}

/** A file that is packed into another one, or the reason why something of it cannot be read. */
export interface Member {
  /** `null` for the file itself, of which only a problem is told. */
  readonly name: string | null
  readonly bytes: Buffer | null
  readonly problem?: Problem | undefined
}

/** A format that is recognised and not opened: its files are a gap, and the search of their bytes still runs. */
interface GapFormat {
  readonly opens: 'gap'
  readonly name: string
  readonly problem: Problem
  recognises(source: Source, name: string): boolean
}

/** One format of files that contain others: how it is noticed, and how it is opened. */
export type ContainerFormat = (EntriesFormat | PartsFormat | ContentsFormat | MembersFormat | GapFormat) &
  Look &
  Findable

export type OpeningOf<Kind extends ContainerFormat['opens']> = Extract<ContainerFormat, { opens: Kind }>

/** Files that lie in an archive as they are, or in what its blocks expand to. */
export const overlapping = {
  kind: 'disagreement',
  reason: 'its files overlap: not all of them are read',
} as const

/** Equal files may share their bytes. */
const always = 16 * 1024 * 1024

/**
 * Says of one file after the other whether it still fits. Together they are not longer than the bytes that hold them: an
 * archive that has one file many times is a trap.
 */
export function roomForFiles(size: number): (file: number) => boolean {
  let room = 2 * size + always
  return (file) => {
    room -= file
    return room >= 0
  }
}

/** The stretches of an archive that none of its files is in, `[start, end)`. */
export function uncovered(
  files: readonly { readonly start: number; readonly end: number }[],
  size: number,
): [number, number][] {
  const rest: [number, number][] = []
  let at = 0
  for (const { start, end } of files.toSorted((a, b) => a.start - b.start)) {
    if (start > at) rest.push([at, start])
    at = Math.max(at, end)
  }
  if (at < size) rest.push([at, size])
  return rest
}

export const cutOff = { kind: 'corrupt', reason: 'the compressed data is corrupt or cut off' } as const
export const archiveCutOff = { kind: 'corrupt', reason: 'the archive is cut off' } as const
export const overLimit = { kind: 'limit', reason: 'over the size limit' } as const

/**
 * Returns the name of a compressed file's contents: the file's name without the suffix of its format.
 * @param usual a suffix that is no suffix of the contents, even where it does not fit the pattern
 */
export function stripSuffix(name: string, suffix: RegExp, usual: string): string {
  if (!suffix.test(name)) return name.endsWith(`.${usual}`) ? name : `${name}.expanded`
  const rest = name.replace(suffix, '')
  return /\.(?:tgz|tzst)$/i.test(name) ? `${rest}.tar` : rest
}

/** Returns the name of a file's contents where the file is decompressed as a stream. */
export function streamedName(name: string): string {
  return stripSuffix(name, /\.t?(?:gz|zst)$|\.br(?:otli)?$/i, 'gz')
}
