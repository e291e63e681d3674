import { availableParallelism } from 'node:os'
import type { Audit } from '../context.ts'
import type { AuditSettings } from '../model/settings.ts'
import type { FileOnDisk } from '../walk-files.ts'
import { createClaims } from './claims.ts'
import { type SecondThread, startSecondThread } from './second-thread.ts'

/** The files that this thread has to read, while another one may read some of them. */
export interface SharedFiles extends AsyncDisposable {
  /** Ends when all files are read; what the other thread has found is then part of the audit. */
  files(): AsyncGenerator<FileOnDisk>
}

/** When so much was read and some files are left, or many are, a second thread is worth its start. */
const worthBytes = 24 * 1024 * 1024
const someFiles = 8
const manyFiles = 1000

/**
 * Gives out files from the first to the last. Where they are many, a second thread takes small ones that are no archives
 * from the end of the list, so that memory does not double; what is reported is the same.
 */
export function shareFiles(audit: Audit, files: readonly FileOnDisk[], settings: AuditSettings): SharedFiles {
  const claims = createClaims(files)
  let second: SecondThread | null = null
  const isWorth = (index: number) =>
    second === null &&
    files.length - index >= (audit.spent.bytes >= worthBytes ? someFiles : manyFiles) &&
    availableParallelism() > 1 &&
    // What cannot be handed over belongs to a test.
    settings.nowSeconds === undefined
  return {
    async *files() {
      for (const [index, file] of files.entries()) {
        if (isWorth(index))
          second = startSecondThread({ files, claims: claims.states, settings: shared(settings) })
        if (claims.takeFirst(index)) yield file
      }
      const found = await second?.found()
      if (found !== null && found !== undefined) {
        audit.collector.add(found)
        audit.spent.entries += found.entries
        audit.spent.bytes += found.bytes
      }
      // Without an answer, it is unknown what the other thread has read.
      const left = found === null ? claims.ofSecond() : claims.left()
      for (const index of left) {
        const file = files[index]
        if (file !== undefined) yield file
      }
    },
    async [Symbol.asyncDispose]() {
      await second?.[Symbol.asyncDispose]()
    },
  }
}

function shared({ onProgress: _, ...settings }: AuditSettings): AuditSettings {
  return settings
}
