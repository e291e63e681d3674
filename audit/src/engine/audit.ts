import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { allow } from '../containers/budget.ts'
import { AuditError } from '../model/audit-error.ts'
import type { AuditedPath, AuditResult } from '../model/finding.ts'
import { createNameCleaner, printable } from '../model/location.ts'
import { type AuditSettings, nothingSpent } from '../model/settings.ts'
import { shareFiles } from '../threads/share-files.ts'
import { auditBytes } from './audit-bytes.ts'
import { auditNames } from './audit-names.ts'
import { auditOnDisk, createReader, type ReadAhead } from './audit-on-disk.ts'
import type { Audit } from './context.ts'
import { createAudit } from './context.ts'
import { type FileOnDisk, walkFiles } from './walk-files.ts'
import { countWork } from './work.ts'

/**
 * Audits files and folders. Nothing is written and nothing is executed.
 * @param ahead one of the files, where reading it has begun
 * @throws AuditError `usage` for a path that does not exist
 */
export async function auditPaths(
  paths: readonly string[],
  directory: string,
  settings: AuditSettings = {},
  ahead: ReadAhead | null = null,
): Promise<AuditResult> {
  const audit = createAudit(settings)
  for (const path of paths) assertExists(resolve(directory, path), path)
  const audited: AuditedPath[] = []
  const reader = createReader(ahead)
  const walked = paths.map((path) => walk(audit, directory, path))
  const work = countWork(
    audit,
    walked.map(({ files }) => files),
  )
  for (const { path, root, files, names, walkMs } of walked) {
    const begun = performance.now() - walkMs
    Object.assign(audit.spent, nothingSpent)
    await using shared = shareFiles(audit, files, settings)
    work?.begin(shared)
    for await (const file of shared.files()) {
      work?.open(file)
      await auditOnDisk(audit, file, { reader, isGiven: file.path === root })
    }
    work?.end()
    auditNames(audit, path, names)
    if (audit.spent.bytes === 0)
      audit.collector.gap('opaque', printable(path), 'nothing to audit: the path is empty')
    audited.push(auditedAs(audit, path, begun))
  }
  return resultOf(audit, audited)
}

interface WalkedPath {
  readonly path: string
  readonly root: string
  readonly files: readonly FileOnDisk[]
  readonly names: readonly (string | Buffer)[]
  readonly walkMs: number
}

function walk(audit: Audit, directory: string, path: string): WalkedPath {
  const begun = performance.now()
  const root = realpathSync(resolve(directory, path))
  const names: (string | Buffer)[] = []
  const files = walkFiles(root, path, {
    gap: (location, reason) => audit.collector.gap('opaque', printable(location), reason),
    name: (location) => void names.push(location),
  })
  return { path, root, files: [...files], names, walkMs: performance.now() - begun }
}

/** Audits one file that is in memory, as `auditPaths` would audit it on disk. */
export async function auditInMemory(
  { location, name, bytes }: { readonly location: string; readonly name: string; readonly bytes: Buffer },
  settings: AuditSettings = {},
): Promise<AuditResult> {
  const audit = createAudit(settings)
  const begun = performance.now()
  allow(audit, bytes.length)
  await auditBytes(audit, { location: printable(location), name, bytes, depth: 0 })
  const audited = [auditedAs(audit, location, begun)]
  return resultOf(audit, audited)
}

function resultOf({ collector }: Audit, audited: AuditedPath[]): AuditResult {
  return { audited, findings: collector.findings(), gaps: collector.gaps() }
}

function auditedAs({ spent, prefix }: Audit, path: string, begun: number): AuditedPath {
  const { entries, bytes } = spent
  return {
    path: createNameCleaner(prefix)(printable(path)),
    entries,
    bytes,
    durationMs: Math.round(performance.now() - begun),
  }
}

function assertExists(path: string, given: string): void {
  try {
    statSync(path)
  } catch (error) {
    throw new AuditError('usage', `${printable(given)} does not exist`, error)
  }
}
