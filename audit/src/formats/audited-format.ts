import type { ScanContext } from '../scan/scan-context.ts'
import type { StringTable } from '../scan/string-table.ts'
import type { Injector } from '../self-test/injector.ts'

/** A file that is audited by its format. */
export interface FormatFile {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  /** Of a script: its name says so, and not only its looks. */
  readonly isCertain: boolean
}

/** What is known about a format, however it is recognised. */
interface Traits {
  readonly name: string
  /** The strings by the format's own table. @throws RangeError where it does not parse */
  read?(bytes: Buffer): StringTable
  /** Where its header says how long the file is, as 32 bits in little endian. */
  readonly lengthAt?: number
  /** Strings may be packed back to back, so that the end of one is not known. */
  readonly packsStrings?: true
  /** More is read than its bytes, which takes several times the size of the file: a very large one is read in windows. */
  readonly isReadWhole?: true
  /** What was read out of it before is not reported a second time as a part of its own bytes. */
  readonly isReadTwice?: true
  /** What is said about the file, or read out of it, before its bytes are scanned. */
  inspect?(audit: ScanContext, location: string, bytes: Buffer): void | Promise<void>
  /** What is read out of it after its bytes were scanned. */
  readMore?(audit: ScanContext, file: FormatFile): void | Promise<void>
  /**
   * What the self-test puts canaries in with; of several, the first that recognises a file. They share no code with the
   * rest of the format, and only a self-test loads them.
   */
  injectors(): Promise<readonly Injector[]>
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
  isMeant(name: string, isText: () => boolean): boolean
}

/** A text: recognised by its name and its beginning. */
export interface TextFormat extends Traits {
  readonly by: 'text'
  isMeant(name: string, text: TextBeginning): boolean
  /** Of a script: whether its name says so, and not only its looks. */
  isCertain?(name: string, text: TextBeginning): boolean
}

export interface TextBeginning {
  /** Without a byte order mark and white space. */
  readonly head: string
  readonly beginning: string
}

/** What no other format is. */
export interface OtherFormat extends Traits {
  readonly by: 'rest'
}

export type AuditedFormat = MarkedFormat | NamedFormat | TextFormat | OtherFormat

/** A format that the self-test puts no canaries in, since another injector takes its files. */
export const noInjectors = async () => []
