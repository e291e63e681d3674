import { closeSync, openSync, readSync } from 'node:fs'
import { lstat, readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { TwotokenError } from '../errors.ts'
import { auditBytes } from './audit-bytes.ts'
import { spend } from './containers/budget.ts'
import type { AuditedPath, AuditResult } from './finding.ts'
import { createJwtJudge, type TokenModel } from './jwt.ts'
import { defaultLeastSuffix, defaultPrefix } from './key-shape.ts'
import { printable } from './location.ts'
import { createCollector } from './report-to.ts'
import { escapedPattern, needlesFor } from './scan/needles.ts'
import { scan } from './scan/scan.ts'
import { createSearcher } from './scan/search.ts'
import { type Audit, defaultLimits, type Limits } from './settings.ts'

export interface AuditSettings {
  /** Host, or host:port. */
  readonly mintHost?: string
  /** What tokens of the mint look like: what resembles one is a calling JWT. */
  readonly like?: readonly TokenModel[]
  readonly prefix?: string
  /** Characters that a key has after its prefix at least. */
  readonly leastSuffix?: number
  readonly limits?: Partial<Limits>
  readonly nowSeconds?: () => number
  readonly onProgress?: (path: string, bytes: number) => void
}

/**
 * Audits files and folders. Nothing is written and nothing is executed.
 * @throws TwotokenError `usage` for a path that does not exist
 */
export async function auditPaths(
  paths: readonly string[],
  directory: string,
  settings: AuditSettings = {},
): Promise<AuditResult> {
  const {
    prefix = defaultPrefix,
    leastSuffix = defaultLeastSuffix,
    mintHost,
    like = [],
    onProgress = () => {},
  } = settings
  const audit: Audit = {
    collector: createCollector(prefix),
    searcher: createSearcher(needlesFor(prefix), prefix),
    prefix,
    leastSuffix,
    escaped: escapedPattern(prefix),
    mintHost,
    jwts: createJwtJudge(like, settings.nowSeconds ?? (() => Date.now() / 1000)),
    limits: { ...defaultLimits, ...settings.limits },
    spent: { entries: 0, bytes: 0 },
  }
  for (const path of paths) await assertExists(resolve(directory, path), path)
  const audited: AuditedPath[] = []
  for (const path of paths) {
    const begun = performance.now()
    Object.assign(audit.spent, { entries: 0, bytes: 0 })
    const root = await realpath(resolve(directory, path))
    for await (const file of filesIn(audit, root, path)) {
      auditOnDisk(audit, file)
      onProgress(path, audit.spent.bytes)
    }
    if (audit.spent.bytes === 0)
      audit.collector.gap('opaque', printable(path), 'nothing to audit: it is empty')
    const { entries, bytes } = audit.spent
    audited.push({ path: printable(path), entries, bytes, durationMs: Math.round(performance.now() - begun) })
  }
  return { audited, findings: audit.collector.findings(), gaps: audit.collector.gaps() }
}

async function assertExists(path: string, given: string): Promise<void> {
  try {
    await stat(path)
  } catch (error) {
    throw new TwotokenError(
      'usage',
      `${printable(given)} cannot be audited: there is no such file or folder`,
      error,
    )
  }
}

interface FileOnDisk {
  readonly path: string
  readonly location: string
  readonly size: number
}

/** Every regular file once, links followed only inside the given path. Anything else is a gap. */
async function* filesIn(audit: Audit, root: string, given: string): AsyncGenerator<FileOnDisk> {
  const visited = new Set<string>()
  const pending: [path: string, location: string][] = [
    [root, given.length > 1 ? given.replace(/\/+$/, '') : given],
  ]
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const [path, location] = next
    const gap = (reason: string) => audit.collector.gap('opaque', printable(location), reason)
    try {
      const isLink = (await lstat(path)).isSymbolicLink()
      const real = await realpath(path)
      if (isLink && real !== root && !real.startsWith(`${root}/`)) {
        gap('a link that leads out of the path')
        continue
      }
      const found = await stat(real)
      const identity = `${found.dev}:${found.ino}`
      if (visited.has(identity) && (isLink || found.isDirectory())) continue
      visited.add(identity)
      if (found.isDirectory())
        for (const name of (await readdir(path)).sort())
          pending.push([join(path, name), `${location}/${name}`])
      else if (!found.isFile()) gap('not a regular file')
      else if (found.size > 0) yield { path: real, location: printable(location), size: found.size }
      else if (path === root) gap('a file of no bytes')
    } catch (error) {
      gap(`cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`)
    }
  }
}

function auditOnDisk(audit: Audit, { path, location, size }: FileOnDisk): void {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    audit.collector.gap(
      'opaque',
      location,
      `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
    )
    return
  }
  try {
    if (!spend(audit, size))
      audit.collector.gap('limit', location, 'more files or bytes than the limits allow')
    else if (size > audit.limits.wholeBytes) auditInChunks(audit, file, location, size)
    else auditBytes(audit, { location, name: basename(path), bytes: readAt(file, 0, size), depth: 0 })
  } finally {
    closeSync(file)
  }
}

const overlap = 16_384
const chunkBytes = 32 * 1024 * 1024

/** A file that is too large to hold is read in pieces, as raw bytes. */
function auditInChunks(audit: Audit, file: number, location: string, size: number): void {
  audit.collector.gap('limit', location, 'too large to be read by its format: read as raw bytes')
  for (let start = 0; start < size; start += chunkBytes) {
    const bytes = readAt(file, start, Math.min(size - start, chunkBytes + overlap))
    scan(audit, { location, format: 'binary', bytes, isText: false, base: start })
  }
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = readSync(file, bytes, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
