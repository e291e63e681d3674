import { truncateSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { auditPaths, loadFleet } from '../../../audit/src/api.ts'
import { TwotokenError, withOwnErrors } from '../../base/errors.ts'
import { parseShard } from '../../base/shard.ts'
import { version } from '../../base/version.ts'
import { appendToFile } from '../../base/write-file.ts'
import { auditReport } from '../../reports/audit/json.ts'
import { inertJson } from '../../reports/escape.ts'
import { sha256 } from '../../reports/results-digest.ts'
import { type AuditEnvironment, type AuditOptions, exitCode, settingsOf } from './audit.ts'
import { type Line, parseLines } from './fleet-results.ts'

export interface FleetOptions extends Omit<AuditOptions, 'paths'> {
  /** The paths, one a line. */
  readonly list: string
  readonly jobs?: number
  readonly shard?: string
}

/**
 * `twotoken audit --list`: audits each listed path by itself, and writes one JSON report a line as soon as it is finished. With
 * `out`, paths are left out whose line is already in that file, of the same content, version and settings. Returns the
 * worst exit code of all paths.
 */
export async function auditFleet(
  { list, jobs = availableParallelism(), shard: share, out, ...options }: FleetOptions,
  environment: AuditEnvironment,
): Promise<number> {
  const { directory, stdout, stderr } = environment
  const shard = share === undefined ? { index: 1, count: 1 } : parseShard(share)
  const { digestPath, missingPath, shownPath } = await loadFleet()
  const audit = await settingsOf(options, directory)
  const settings = sha256(JSON.stringify([version, audit])).slice(0, 16)
  const file = out === undefined ? null : resolve(directory, out)
  const known = new Map(
    (file === null ? [] : await readUnfinished(file)).map((one) => [keyOf(one), one] as const),
  )
  let [worst, audited, kept] = [0, 0, 0]
  const auditOne = async (path: string) => {
    const digest = await digestPath(path, directory)
    // A path that does not exist belongs to one shard as well.
    if ((Number.parseInt((digest ?? sha256(path)).slice(0, 8), 16) % shard.count) + 1 !== shard.index) return
    const before = known.get(JSON.stringify([digest, settings, shownPath(path, audit)]))
    const result = before ?? (await auditPath(path, digest))
    worst = worseCode(worst, exitCode(result, options))
    if (before === undefined) write({ digest, settings, ...auditReport(result) })
    else kept += 1
  }
  const auditPath = (path: string, digest: string | null) =>
    digest === null ? missingPath(path, audit) : withOwnErrors(auditPaths([path], directory, audit))
  const write = (report: object) => {
    const text = `${inertJson(JSON.stringify(report))}\n`
    if (file === null) stdout.write(text)
    else appendToFile(file, text)
    audited += 1
  }
  const listed = new Set(list.split(/\r?\n/).filter((path) => path !== ''))
  if (listed.size === 0) throw new TwotokenError('usage', 'the list names no path: write one a line')
  // A shard without a share has an output to merge, too.
  if (file !== null) appendToFile(file, '')
  const paths = listed.values()
  await Promise.all(
    Array.from({ length: jobs }, async () => {
      // All of them take from one list.
      for (const path of paths) await auditOne(path)
    }),
  )
  if (options.quiet !== true) stderr.write(`audited ${audited} paths, ${kept} were already in the output\n`)
  return worst
}

/** The lines of an earlier audit. Where it was ended within a line, the file is cut behind the one before. */
async function readUnfinished(file: string): Promise<Line[]> {
  const earlier = await stat(file).catch(() => null)
  // A device or a pipe may be read for ever. Where nothing can be written, the first line says so.
  if (earlier === null || !earlier.isFile()) return []
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new TwotokenError('usage', `${file} cannot be read: choose a writable file`, error)
  })
  const end = bytes.lastIndexOf('\n') + 1
  const lines = parseLines(bytes.subarray(0, end).toString('utf8'), file)
  const rest = bytes.subarray(end).toString('utf8')
  // Anything else is no line of an audit that was ended, and is not ours to cut.
  if (!rest.startsWith(lineStart) && !lineStart.startsWith(rest)) parseLines(rest, file)
  if (rest !== '') truncateSync(file, end)
  return lines.filter(({ digest }) => digest !== null)
}

const lineStart = '{"digest":'

function keyOf({ digest, settings, audited: [path] }: Line): string {
  return JSON.stringify([digest, settings, path?.path])
}

/** A violation outranks a gap. */
function worseCode(one: number, other: number): number {
  return one === 1 || other === 1 ? 1 : Math.max(one, other)
}
