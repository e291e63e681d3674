import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Redactor } from '../base/evidence/redact.ts'
import { writeFileWhole } from '../base/write-file.ts'
import { redactResults } from '../reports/redact-results.ts'
import type { RunResults } from '../reports/results.ts'

/**
 * Writes what reports mask, for the user of this machine alone: redacted, and in a form that no report is rendered from. A
 * run that was not asked for it leaves none of an earlier one.
 */
export async function writeFullEvidence(
  folder: string,
  unmasked: RunResults | null,
  redactor: Redactor,
): Promise<void> {
  const file = join(folder, 'evidence.json')
  if (unmasked === null) return await rm(file, { force: true })
  const { checks, exchanges, startedAt } = redactResults(unmasked, redactor).results
  const findings = checks.map(({ id, reason, findings: found, observations }) => ({
    id,
    reason,
    findings: found,
    observations,
  }))
  const text = `${JSON.stringify({ startedAt, findings, exchanges }, null, 2)}\n`
  await writeFileWhole(file, redactor.file(text), 0o600)
}
