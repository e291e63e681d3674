import type { ScanContext } from '../scan/scan-context.ts'
import type { StringTable } from '../scan/string-table.ts'
import type { Injector } from '../self-test/injector.ts'

/** A file that is audited by its format. */
export interface FormatFile {
  readonly location: string
  readonly format: string
  readonly bytes: Buffer
  /** True for a script whose name says so, and not only its content. */
  readonly isCertain: boolean
}

/** Properties of a format, however it is recognised. */
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
  /**
   * Says whether a part of a file too large to be read whole may have what only the format tells. Without this, every such
   * file is a gap.
   */
  mayHide?(bytes: Buffer, prefix: string): boolean
  /** True where strings read out of it before are not reported again as a part of its own bytes. */
  readonly isReadTwice?: true
  /** Inspects the file, or reads something out of it, before its bytes are scanned. */
  inspect?(audit: ScanContext, location: string, bytes: Buffer): void | Promise<void>
  /** Reads more out of the file after its bytes were scanned. */
  readMore?(audit: ScanContext, file: FormatFile): void | Promise<void>
  /**
   * Loads the injectors with which the self-test puts canaries in. The first of several that recognises a
   * file is used. They share no code with the rest of the format, and only a self-test loads them.
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

/** A format that the self-test puts no canaries in, since another injector takes its files. */
export const noInjectors = async () => []
