import type { FileToRead } from '../engine/walk-files.ts'
import type { Found } from '../model/collector.ts'
import type { Finding } from '../model/finding.ts'
import type { ReadSoFar } from '../model/progress.ts'
import type { Spared } from '../model/pulse.ts'
import type { AuditSettings } from '../model/settings.ts'
import type { Turns } from '../model/turns.ts'
import type { SelfTestCell } from '../self-test/cells.ts'
import type { FileToPlant } from '../self-test/list-files.ts'
import type { Claims } from './claims.ts'
import type { PulseMemory } from './pulse-memory.ts'

/** The memory that a reading thread has from its start. */
export interface ThreadMemory {
  readonly pulse: PulseMemory
  readonly turns: Turns
}

/** A path with all that is below it. */
export interface Walked {
  /** As the user named it. */
  readonly given: string
  readonly root: string
  readonly files: readonly FileToRead[]
  /** Names of everything in the path that is no file. */
  readonly otherNames: readonly (string | Buffer)[]
}

/** Files of a path, of which a thread takes one after the other. */
export interface Task {
  readonly walked: Walked
  readonly claims: Claims
  /** From which end of the list. The last ones are left where they would take much memory beside another file. */
  readonly takes: 'first' | 'last'
  /** A file that another thread has not read to its end. */
  readonly again: Again | null
}

export interface Again {
  readonly index: number
  /** Locations in it that were not read within the limits. */
  readonly spared: ReadonlyMap<string, Spared>
  /** Findings that were already made in it. */
  readonly known: readonly Finding[]
}

export type Order =
  | {
      readonly kind: 'begin'
      readonly settings: Omit<AuditSettings, 'onProgress'>
      readonly isFollowed: boolean
    }
  | { readonly kind: 'read'; readonly task: Task }
  /** Reads what all files of the path at hand tell together, in which the findings are known, and files with pieces of a key. */
  | { readonly kind: 'names'; readonly known: readonly Finding[]; readonly parts: readonly string[] }
  /** Plants canaries into copies of files, but those that were given up, and audits the copies. */
  | {
      readonly kind: 'plant'
      readonly settings: Omit<AuditSettings, 'onProgress'>
      readonly files: readonly FileToPlant[]
      readonly givenUp: readonly number[]
    }
  /** Lets go of the memory of an audit. */
  | { readonly kind: 'rest' }

/** The sum of an order, and the files with pieces of a key, which others may put together. */
export interface Done {
  readonly entries: number
  readonly bytes: number
  readonly parts: readonly string[]
}

export type Answer =
  | Found
  | { readonly kind: 'cells'; readonly cells: readonly SelfTestCell[] }
  | { readonly kind: 'progress'; readonly location: string; readonly read: ReadSoFar }
  | ({ readonly kind: 'done' } & Done)
