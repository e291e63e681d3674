import { createHash } from 'node:crypto'
import { createReadStream, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createCollector } from '../model/collector.ts'
import type { AuditResult } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'
import { auditedAs } from './audited-as.ts'
import { unreadable, walkFiles } from './walk-files.ts'

/** A path as a report shows it: without a key that is in its name. */
export function shownPath(path: string, settings: AuditSettings): string {
  return auditedAs({ entries: 0, bytes: 0 }, path, settings, 0).path
}

/** The result of a listed path that does not exist: a gap, so that the others are audited all the same. */
export function missingPath(path: string, settings: AuditSettings): AuditResult {
  const collector = createCollector(settings.prefix ?? defaultPrefix)
  collector.gap('opaque', printable(path), 'does not exist, or cannot be listed')
  const audited = auditedAs({ entries: 0, bytes: 0 }, path, settings, performance.now())
  return { audited: [audited], findings: [], gaps: collector.gaps() }
}

/**
 * The digest of all that an audit reads at a path: contents and names, without the path itself, so that a copy elsewhere has
 * the same one. `null` where there is nothing at that path.
 */
export async function digestPath(path: string, directory: string): Promise<string | null> {
  const parts: string[] = []
  try {
    const walked = walkFiles(realpathSync(resolve(directory, path)), '.', {
      gap: (location, reason) => void parts.push(`gap ${String(location)} ${reason}`),
      name: (location) => void parts.push(`name ${String(location)}`),
    })
    for (const { path: file, location } of walked)
      parts.push(`file ${String(location)} ${await digestFile(file)}`)
  } catch {
    return null
  }
  return createHash('sha256').update(parts.join('\0')).digest('hex')
}

async function digestFile(file: string | Buffer): Promise<string> {
  const hash = createHash('sha256')
  return await pipeline(createReadStream(file), hash).then(() => hash.digest('hex'), unreadable)
}
