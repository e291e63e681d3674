import { closeSync, constants, fstatSync, openSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { TwotokenError } from '../errors.ts'
import { auditBytes, auditSource } from './audit-bytes.ts'
import { allow, spend } from './containers/budget.ts'
import { createInflater } from './containers/inflater.ts'
import { inFile, inMemory, readInto } from './containers/source.ts'
import type { AuditedPath, AuditResult } from './finding.ts'
import { createJwtJudge, type TokenModel } from './jwt.ts'
import { defaultLeastSuffix, defaultPrefix } from './key-shape.ts'
import { createNameCleaner, printable } from './location.ts'
import { createProgress, type Progress } from './progress.ts'
import { createRepeats } from './repeats.ts'
import { createCollector } from './report-to.ts'
import { escapedPattern, needlesFor } from './scan/needles.ts'
import { createSearcher } from './scan/search.ts'
import { type Audit, defaultLimits, type Limits, type Spent } from './settings.ts'
import { type FileOnDisk, filesIn, unreadable } from './walk.ts'

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
  /** Told what is read next, inside containers too, and how many bytes were read before. */
  readonly onProgress?: Progress
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
  const audit = createAudit(settings)
  for (const path of paths) await assertExists(resolve(directory, path), path)
  const audited: AuditedPath[] = []
  const reader = createReader(largestAtOnce)
  for (const path of paths) {
    const begun = performance.now()
    Object.assign(audit.spent, nothingSpent)
    const root = await realpath(resolve(directory, path))
    const gap = (location: string | Buffer, reason: string) =>
      audit.collector.gap('opaque', printable(location), reason)
    for (const file of filesIn(root, path, gap)) await auditOnDisk(audit, file, reader, file.path === root)
    if (audit.spent.bytes === 0)
      audit.collector.gap('opaque', printable(path), 'nothing to audit: it is empty')
    audited.push(auditedAs(audit, path, begun))
  }
  return { audited, findings: audit.collector.findings(), gaps: audit.collector.gaps() }
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
  return { audited, findings: audit.collector.findings(), gaps: audit.collector.gaps() }
}

const nothingSpent: Spent = { entries: 0, bytes: 0, opened: 0, inflated: 0, allowed: 0 }

function createAudit(settings: AuditSettings): Audit {
  const { onProgress = () => {} } = settings
  const { prefix = defaultPrefix, leastSuffix = defaultLeastSuffix, mintHost, like = [] } = settings
  const withoutSecrets = createNameCleaner(prefix)
  return {
    collector: createCollector(prefix),
    searcher: createSearcher(needlesFor(prefix), prefix),
    repeats: createRepeats(),
    inflater: createInflater(),
    ahead: { bytes: 0 },
    progress: createProgress((location, bytes) => onProgress(withoutSecrets(location), bytes)),
    prefix,
    leastSuffix,
    escaped: escapedPattern(prefix),
    mintHost,
    jwts: createJwtJudge(like, settings.nowSeconds ?? (() => Date.now() / 1000)),
    limits: { ...defaultLimits, ...settings.limits },
    spent: { ...nothingSpent },
  }
}

function auditedAs({ spent }: Audit, path: string, begun: number): AuditedPath {
  const { entries, bytes } = spent
  return { path: printable(path), entries, bytes, durationMs: Math.round(performance.now() - begun) }
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

type Reader = (file: number, size: number) => Buffer

/** Reads one file after the other into the same memory, which costs less than new memory for each. */
function createReader(largest: number): Reader {
  let memory = Buffer.allocUnsafeSlow(0)
  return (file, size) => {
    if (memory.length < size)
      memory = Buffer.allocUnsafeSlow(Math.min(largest, Math.max(size, memory.length * 2, 65_536)))
    return readInto(file, memory.subarray(0, size), 0)
  }
}

/** A larger file is opened where it is: if it is an archive, only its entries are read. */
const largestAtOnce = 64 * 1024 * 1024

/** Nothing is waited for: what was a file a moment ago may be a pipe now. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

async function auditOnDisk(
  audit: Audit,
  { path, location, name }: FileOnDisk,
  read: Reader,
  isGiven: boolean,
): Promise<void> {
  const shown = printable(location)
  const gap = (reason: string) => audit.collector.gap('opaque', shown, reason)
  let file: number | null = null
  try {
    file = openSync(path, flags)
    const found = fstatSync(file)
    if (!found.isFile()) return gap('not a regular file')
    const { size } = found
    if (size === 0) return isGiven ? gap('a file of no bytes') : undefined
    audit.spent.opened += 1
    allow(audit, size)
    if (!spend(audit, size))
      return audit.collector.gap('limit', shown, 'more files or bytes than the limits allow')
    const isSmall = size <= Math.min(largestAtOnce, audit.limits.wholeBytes)
    const source = isSmall ? inMemory(read(file, size)) : inFile(file, 0, size)
    await auditSource(audit, { location: shown, name, source, depth: 0, held: isSmall ? size : 0 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
    gap(unreadable(error))
  } finally {
    if (file !== null) closeSync(file)
  }
}
