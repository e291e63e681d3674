import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FileOnDisk } from '../engine/walk-files.ts'
import type { Finding, Gap } from '../model/finding.ts'
import type { AuditSettings } from '../model/settings.ts'

const program = join(import.meta.dirname, `second-thread.worker${extname(import.meta.filename)}`)

/** What the second thread is told. */
export interface SecondTask {
  readonly files: readonly FileOnDisk[]
  readonly claims: Int32Array<SharedArrayBuffer>
  /** In which both threads take turns. */
  readonly turns: Int32Array<SharedArrayBuffer>
  readonly settings: AuditSettings
}

/** What it has found in the files that it has read. */
export interface SecondFound {
  readonly findings: readonly Finding[]
  readonly gaps: readonly Gap[]
  readonly entries: number
  readonly bytes: number
}

export interface SecondThread extends AsyncDisposable {
  /** `null` where it ended without an answer. */
  found(): Promise<SecondFound | null>
}

/** Most of what a file leaves behind is small: more room for it would only fill up. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 }

export function startSecondThread(task: SecondTask): SecondThread {
  const worker = new Worker(program, { workerData: task, resourceLimits })
  const answer = new Promise<SecondFound | null>((resolve) => {
    worker.once('message', (found: SecondFound) => resolve(found))
    worker.once('error', () => resolve(null))
    worker.once('exit', () => resolve(null))
  })
  return {
    found: () => answer,
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}
