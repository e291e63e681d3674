import { auditPaths } from '../src/audit/audit.ts'
import type { Finding } from '../src/model/finding.ts'
import type { Material } from './packages.ts'
import { appFolders } from './real-files.ts'

/** A package without any key in it, audited. */
export interface CleanRun {
  readonly name: string
  /** Bytes and entries that the audit read, archives opened. */
  readonly bytes: number
  readonly entries: number
  readonly milliseconds: number
  readonly errors: readonly Finding[]
  readonly warnings: readonly Finding[]
  readonly notes: number
  /** By rule. */
  readonly gaps: Readonly<Record<string, number>>
}

export async function auditClean(material: Material, log: (text: string) => void): Promise<CleanRun[]> {
  const runs: CleanRun[] = []
  for (const [name, folder] of appFolders(material)) {
    log(`auditing ${name}`)
    runs.push(await auditFolder(name, folder))
  }
  return runs
}

export async function auditFolder(name: string, folder: string): Promise<CleanRun> {
  const { findings, gaps, audited } = await auditPaths(['.'], folder)
  const of = (level: Finding['level']) => findings.filter((finding) => finding.level === level)
  const byRule = Map.groupBy(
    gaps,
    ({ rule, reason }) => `${rule} ${reason.replace(/\d+/g, 'N').slice(0, 80)}`,
  )
  return {
    name,
    bytes: audited.reduce((sum, { bytes }) => sum + bytes, 0),
    entries: audited.reduce((sum, { entries }) => sum + entries, 0),
    milliseconds: audited.reduce((sum, { durationMs }) => sum + durationMs, 0),
    errors: of('error'),
    warnings: of('warning'),
    notes: of('note').length,
    gaps: Object.fromEntries([...byRule].map(([rule, list]) => [rule, list.length])),
  }
}
