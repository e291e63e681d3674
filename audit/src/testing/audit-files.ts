import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { auditPaths } from '../audit/audit.ts'
import { createAudit } from '../audit/context.ts'
import { auditContents } from '../audit/open.ts'
import { auditedAs, resultOf } from '../audit/result.ts'
import type { AuditResult, Finding } from '../model/finding.ts'
import type { AuditSettings } from '../model/settings.ts'

/** A key of no account; no report may hold more of it than its prefix. */
export const key = 'ac_live_9fK2mPq7Rt4Vw8Xy1Zb3Nc6Dq5Lh0Js'

/** Writes files into a folder of their own, and removes it at the end. */
export async function folderOf(files: Readonly<Record<string, string | Buffer>>) {
  const folder = await mkdtemp(join(tmpdir(), 'twotoken-audit-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** Audits files in a folder called `dist`. */
export async function auditFiles(files: Readonly<Record<string, string | Buffer>>, settings?: AuditSettings) {
  const inDist = Object.fromEntries(Object.entries(files).map(([name, content]) => [`dist/${name}`, content]))
  await using made = await folderOf(inDist)
  return await auditPaths(['dist'], made.folder, settings)
}

/** Every place of what was found, in order. */
export function placesOf(findings: readonly Pick<Finding, 'location' | 'also'>[]): string[] {
  return findings.flatMap(({ location, also = [] }) => [location, ...also]).sort()
}

/** Audits one file that is in memory, as `auditPaths` would audit it on disk. */
export async function auditInMemory(
  { bytes, ...file }: { readonly location: string; readonly name: string; readonly bytes: Buffer },
  settings: AuditSettings = {},
): Promise<AuditResult> {
  const audit = createAudit(settings)
  const begun = performance.now()
  await auditContents(audit, { ...file, contents: bytes })
  await audit.reader.close()
  const audited = [auditedAs(audit.spent, file.location, settings, begun)]
  return resultOf(audit.collector, audited, [file.location])
}
