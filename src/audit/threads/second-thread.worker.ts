import { parentPort, workerData } from 'node:worker_threads'
import { auditOnDisk, createReader } from '../audit-on-disk.ts'
import { createAudit } from '../context.ts'
import { claimsIn } from './claims.ts'
import type { SecondFound, SecondTask } from './second-thread.ts'

/**
 * Left to the first thread are larger files, larger texts (whose parsers take several times their size), containers, and
 * files whose names are no UTF-8.
 */
const largest = 16 * 1024 * 1024
const largestText = 1024 * 1024

function leaves(name: string, size: number, bytes: Buffer | null): boolean {
  if (bytes === null) return size > largest
  const { containers, formats } = audit
  return (
    containers.mayBeOpened(name, bytes) ||
    (size > largestText && formats.formatOf(name, bytes.subarray(0, 65_536)).isText)
  )
}

const { files, claims: states, settings } = workerData as SecondTask
const claims = claimsIn(states)
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
