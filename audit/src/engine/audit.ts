import { lstatSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { AuditError } from '../model/audit-error.ts'
import { type Collector, createCollector } from '../model/collector.ts'
import type { AuditedPath, AuditResult } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'
import type { Walked } from '../threads/orders.ts'
import { createSupervisor } from '../threads/supervise.ts'
import { auditedAs } from './audited-as.ts'
import { unreadable, walkFiles } from './walk-files.ts'

/**
 * Audits files and folders. Nothing is written and nothing is executed.
 * @param program what reads the files, in threads
 * @throws AuditError `usage` for a path that does not exist
 */
export async function auditPaths(
  paths: readonly string[],
  directory: string,
  settings: AuditSettings = {},
  program?: string,
): Promise<AuditResult> {
  const collector = createCollector(settings.prefix ?? defaultPrefix)
  for (const path of paths) assertExists(resolve(directory, path), path)
  const walked = paths.map((path) => walk(collector, directory, path))
  const audited: AuditedPath[] = []
  await using supervisor = createSupervisor(collector, settings, walked, program)
  for (const path of walked) {
    const begun = performance.now() - path.walkMs
    const read = await supervisor.read(path)
    if (read.bytes === 0 && !hasGap(collector, printable(path.given)))
      collector.gap('opaque', printable(path.given), 'nothing to audit: the path is empty')
    audited.push(auditedAs(read, path.given, settings, begun))
  }
  return { audited, findings: collector.findings(), gaps: collector.gaps() }
}

function walk(collector: Collector, directory: string, given: string): Walked & { readonly walkMs: number } {
  const begun = performance.now()
  const root = realpathSync(resolve(directory, given))
  const names = new Set<string | Buffer>()
  const files = [
    ...walkFiles(root, given, {
      gap: (location, reason) => collector.gap('opaque', printable(location), reason),
      name: (location) => void names.add(location),
    }),
  ]
  for (const { location } of files) names.delete(location)
  return { given, root, files, otherNames: [...names], walkMs: performance.now() - begun }
}

/** Says whether a gap already tells why nothing of a path was read. */
function hasGap(collector: Collector, path: string): boolean {
  return collector.gaps().some(({ location }) => location === path || location.startsWith(`${path}/`))
}

function assertExists(path: string, given: string): void {
  try {
    statSync(path)
  } catch (error) {
    throw new AuditError('usage', `${printable(given)} ${whyNot(path, error)}`, error)
  }
  try {
    statSync(realpathSync(path))
  } catch (error) {
    const reason = 'is a pipe or a deleted file; name a file or folder to audit'
    throw new AuditError('usage', `${printable(given)} ${reason}`, error)
  }
}

function whyNot(path: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOTDIR') return 'does not exist'
  if (code !== 'ENOENT') return unreadable(error)
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
    ? 'is a link to a target that does not exist'
    : 'does not exist'
}
