import { lstatSync, realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { AuditError } from '../model/audit-error.ts'
import { type Collector, exceptKnown } from '../model/collector.ts'
import type { AuditedPath, AuditResult } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { createNameCleaner, lastPart, printable } from '../model/location.ts'
import { createFollowed } from '../model/progress.ts'
import { type AuditSettings, nothingSpent } from '../model/settings.ts'
import { findHits, scan } from '../search/scan.ts'
import { type Audit, createAudit } from './context.ts'
import { auditOnDisk, createReader } from './on-disk.ts'
import { auditedAs, resultOf } from './result.ts'
import { type FileOnDisk, sizeOf, unreadable, walkFiles } from './walk-files.ts'

/** Files after which the event loop turns. */
const mostOfTurn = 256

/** A path with all that is below it. */
interface Walked {
  /** As the user named it. */
  readonly given: string
  readonly root: string
  readonly files: readonly FileOnDisk[]
  /** Names of everything in the path that is no file. */
  readonly otherNames: readonly (string | Buffer)[]
  readonly walkMs: number
}

/**
 * Audits files and folders. Nothing is written and nothing is executed.
 * @throws AuditError `usage` for a path that does not exist
 */
export async function auditPaths(
  paths: readonly string[],
  directory: string,
  { onProgress, ...settings }: AuditSettings = {},
): Promise<AuditResult> {
  for (const path of paths) assertExists(resolve(directory, path), path)
  const unread: [location: string, reason: string][] = []
  const walked = paths.map((path) => walk(directory, path, (...gap) => void unread.push(gap)))
  const files = walked.flatMap((path) => path.files)
  const audit = createAudit(settings, undefined, (spent) => {
    if (onProgress === undefined) return null
    const withoutSecrets = createNameCleaner(settings.prefix ?? defaultPrefix)
    const known = { files: files.length, bytes: files.reduce((sum, file) => sum + sizeOf(file), 0) }
    return createFollowed(spent, known, (location, work) => onProgress(withoutSecrets(location), work))
  })
  const { collector, spent } = audit
  for (const gap of unread) collector.gap('opaque', ...gap)
  const audited: AuditedPath[] = []
  const reader = createReader()
  try {
    for (const path of walked) {
      const begun = performance.now() - path.walkMs
      const before = { entries: spent.entries, bytes: spent.bytes }
      Object.assign(spent, { ...nothingSpent, ...before })
      await readPath(audit, path, reader)
      const read = { entries: spent.entries - before.entries, bytes: spent.bytes - before.bytes }
      if (read.bytes === 0 && !hasGap(collector, printable(path.given)))
        collector.gap('opaque', printable(path.given), 'nothing to audit: the path is empty')
      audited.push(auditedAs(read, path.given, settings, begun))
    }
  } finally {
    await audit.reader.close()
  }
  return resultOf(collector, audited, paths.map(printable))
}

async function readPath(audit: Audit, path: Walked, reader: ReturnType<typeof createReader>): Promise<void> {
  const { given, root, files, otherNames } = path
  for (const [index, file] of files.entries()) {
    audit.followed?.begin(sizeOf(file))
    await auditOnDisk(audit, file, { reader, isGiven: file.path === root })
    if (index % mostOfTurn === 0) await nextTurn()
  }
  auditNames(audit, given, [...files.map(({ location }) => location), ...otherNames])
}

function walk(directory: string, given: string, gap: (location: string, reason: string) => void): Walked {
  const begun = performance.now()
  const root = realpathSync(resolve(directory, given))
  const names = new Set<string | Buffer>()
  const files = [
    ...walkFiles(root, given, {
      gap: (location, reason) => gap(printable(location), reason),
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

/**
 * Searches the names of files and folders, each from the part on that the user has given last: what is before it does not
 * ship. What a file holds as well is reported there.
 */
function auditNames(audit: Audit, given: string, paths: readonly (string | Buffer)[]): void {
  const root = given.replace(/(?<!\/)\/+$/, '')
  const outer = Buffer.byteLength(root.slice(0, root.length - lastPart(root).length))
  for (const path of paths) {
    const bytes = Buffer.from(path).subarray(outer)
    const hits = findHits(audit.searcher, { bytes })
    if (hits.isEmpty) continue
    const whole = { start: 0, end: bytes.length, view: 'utf-8', role: 'value' } as const
    const table = () => ({ extents: [whole], regions: [] })
    const file = { location: printable(path), format: 'name', bytes, isText: false, table }
    scan(exceptKnown(audit), file, hits)
  }
}
