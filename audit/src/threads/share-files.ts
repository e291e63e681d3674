import { availableParallelism } from 'node:os'
import type { Audit } from '../engine/context.ts'
import type { FileOnDisk } from '../engine/walk-files.ts'
import type { AuditSettings } from '../model/settings.ts'
import { createTurns, shareTurns } from '../model/turns.ts'
import { type Claims, createClaims } from './claims.ts'
import { costliestFirst } from './costliest-first.ts'
import { type SecondThread, startSecondThread } from './second-thread.ts'

/** The files that this thread has to read, while another one may read some of them. */
export interface SharedFiles extends AsyncDisposable {
  /** Ends when all files are read; what the other thread has found is then part of the audit. */
  files(): AsyncGenerator<FileOnDisk>
  /** Files that no thread has begun to read. */
  waiting(): FileOnDisk[]
  /** Files that the other thread has read, or is reading. */
  elsewhere(): FileOnDisk[]
  /** Whether what the other thread has found is part of the audit. */
  isMerged(): boolean
}

/** When so much was read and some files are left, or many are, a second thread is worth its start. */
const worthBytes = 24 * 1024 * 1024
const someFiles = 8
const manyFiles = 1000

/**
 * Gives out files, those that take the longest first. Where they are many, a second thread takes files from the end of the list,
 * but those that take much memory, so that it does not double; what is reported is the same.
 */
export function shareFiles(
  audit: Audit,
  walked: readonly FileOnDisk[],
  settings: AuditSettings,
): SharedFiles {
  const files = costliestFirst(walked)
  const claims = createClaims(files)
  let second: SecondThread | null = null
  const given = (indices: Iterable<number>) => Array.from(indices).flatMap((index) => files[index] ?? [])
  let isMerged = false
  const isWorth = (index: number) =>
    second === null &&
    files.length - index >= (audit.spent.bytes >= worthBytes ? someFiles : manyFiles) &&
    availableParallelism() > 1 &&
    // What cannot be handed over belongs to a test.
    settings.nowSeconds === undefined
  const start = () => {
    const turns = createTurns()
    shareTurns(turns)
    return startSecondThread({ files, claims: claims.shared, turns, settings: shared(settings) })
  }
  return {
    async *files() {
      for (const [index, file] of files.entries()) {
        if (isWorth(index)) second = start()
        // What is left to this thread takes long: it is not what the other one waits for in the end.
        yield* given(takeLeft(claims))
        if (claims.takeFirst(index)) yield file
      }
      yield* given(takeLeft(claims))
      const found = await second?.found()
      if (found !== null && found !== undefined) {
        audit.collector.add(found)
        audit.spent.entries += found.entries
        audit.spent.bytes += found.bytes
        isMerged = true
      }
      // Without an answer, it is unknown what the other thread has read.
      yield* given(found === null ? claims.ofSecond() : takeLeft(claims))
    },
    waiting: () => given(claims.waiting()),
    elsewhere: () => given(claims.taken()),
    isMerged: () => isMerged,
    async [Symbol.asyncDispose]() {
      if (second !== null) shareTurns(null)
      await second?.[Symbol.asyncDispose]()
    },
  }
}

function* takeLeft({ takeLeft: take }: Claims): Generator<number> {
  for (let index = take(); index !== null; index = take()) yield index
}

function shared({ onProgress: _, ...settings }: AuditSettings): AuditSettings {
  return settings
}
