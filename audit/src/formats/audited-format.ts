import type { Hits } from '../search/scan.ts'
import type { ScanContext } from '../search/scan-context.ts'
import type { StringTable } from '../search/string-table.ts'

/** A file that is audited by its format. */
export interface FormatFile {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  /** True for a script whose name says so, and not only its content. */
  readonly isCertain: boolean
  /** Everything that was found in its bytes. */
  readonly hits: Hits
}

/** Properties of a format, however it is recognised. */
export interface Traits {
  readonly name: string
  /** The strings by the format's own table. @throws RangeError where it does not parse */
  read?(bytes: Buffer): StringTable
  /** Where its header says how long the file is, as 32 bits in little endian. */
  readonly lengthAt?: number
  /** Strings may be packed back to back, so that the end of one is not known. */
  readonly packsStrings?: true
  /** More is read than its bytes, which takes several times the size of the file: a very large one is read in windows. */
  readonly isReadWhole?: true
  /** Says by the beginning of a file too large to be read whole whether it has what only the format tells. */
  mayHide?(head: Buffer): boolean
  /** True where strings read out of it before are not reported again as a part of its own bytes. */
  readonly isReadTwice?: true
  /** Inspects the file, or reads something out of it, before its bytes are scanned. */
  inspect?(audit: ScanContext, location: string, bytes: Buffer, hits: Hits): void | Promise<void>
  /** Says whether `inspect` has something to say about a text in which nothing was found; of other formats it always may. */
  mayTell?(name: string, bytes: Buffer): boolean
  /** Reads more out of a file in whose bytes something was found, after they were scanned. */
  readMore?(audit: ScanContext, file: FormatFile): void | Promise<void>
}

/** Recognised by its first four bytes, in big endian, or by those and what follows. */
export interface MarkedFormat extends Traits {
  readonly by: 'mark'
  readonly marks: readonly number[]
  isMeant?(bytes: Buffer): boolean
}

/** Without a mark: recognised by its first byte and its name. */
export interface NamedFormat extends Traits {
  readonly by: 'name'
  readonly firstByte: number
  isMeant(name: string, bytes: Buffer): boolean
}

/** A text: recognised by its name and its beginning. */
export interface TextFormat extends Traits {
  readonly by: 'text'
  isMeant(name: string, text: TextBeginning): boolean
  /** Says whether a script's name says that it is one, and not only its content. */
  isCertain?(name: string, text: TextBeginning): boolean
}

export interface TextBeginning {
  /** Without a byte order mark and white space. */
  readonly head: string
  readonly beginning: string
}

/** The format of a file that no other format recognises. */
export interface OtherFormat extends Traits {
  readonly by: 'rest'
}

export type AuditedFormat = MarkedFormat | NamedFormat | TextFormat | OtherFormat
