import { parentPort, workerData } from 'node:worker_threads'
import { auditOnDisk, createReader } from '../engine/audit-on-disk.ts'
import { createAudit } from '../engine/context.ts'
import { shareTurns } from '../model/turns.ts'
import { fragmentsOf } from '../script/fragments.ts'
import { claimsIn } from './claims.ts'
import type { SecondFound, SecondTask } from './second-thread.ts'

/**
 * Left to the first thread are larger files, larger texts that take several times their size, and files whose names are
 * no UTF-8. What a container holds is not known: for that, the threads take turns.
 */
const largest = 16 * 1024 * 1024
const largestRead = 4 * 1024 * 1024
const largestFolded = 1024 * 1024

function leaves(name: string, size: number, bytes: Buffer | null): boolean {
  if (bytes === null) return size > largest
  if (size <= largestFolded || audit.formats.formatOf(name, bytes.subarray(0, 65_536)).isReadWhole !== true)
    return false
  return size > largestRead || fragmentsOf(audit.prefix).inBytes(bytes)
}

const { files, claims: shared, turns, settings } = workerData as SecondTask
const claims = claimsIn(shared)
shareTurns(turns)
const audit = createAudit(settings)
const reader = createReader()
for (const [index, file] of [...files.entries()].reverse()) {
  if (!claims.takeSecond(index)) continue
  const isLeft = typeof file.path !== 'string' || !(await auditOnDisk(audit, file, { reader, leaves }))
  if (isLeft) claims.leave(index)
}
const { entries, bytes } = audit.spent
parentPort?.postMessage({
  findings: audit.collector.findings(),
  gaps: audit.collector.gaps(),
  entries,
  bytes,
} satisfies SecondFound)
