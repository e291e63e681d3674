import { z } from 'zod'
import { AuditError } from '../model/audit-error.ts'
import type { Accepted, AuditResult, Finding } from '../model/finding.ts'

const schema = z.strictObject({
  findings: z.array(
    z.strictObject({
      fingerprint: z.string(),
      rule: z.string().exactOptional(),
      reason: z.string().min(1),
      expires: z.iso.date(),
    }),
  ),
})

export type Baseline = z.infer<typeof schema>

/** @throws AuditError `configuration` where the text is no baseline */
export function parseBaseline(text: string): Baseline {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new AuditError('configuration', 'the baseline is not JSON', error)
  }
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const where = read.error.issues[0]?.path.join('..') ?? ''
  throw new AuditError(
    'configuration',
    `the baseline is invalid at "${where}": each finding needs a fingerprint, a reason and a date in expires`,
  )
}

/** The baseline by which what was found and counts is accepted; entries that still match stay as they are. */
export function makeBaseline(
  { findings, accepted = [] }: AuditResult,
  { reason, expires }: { readonly reason: string; readonly expires: string },
): Baseline {
  const entries = new Map<string, Baseline['findings'][number]>()
  const known = accepted.map((entry) => ({ ...entry.finding, reason: entry.reason, expires: entry.expires }))
  const found = findings.filter(({ level }) => level !== 'note').map((one) => ({ ...one, reason, expires }))
  for (const one of [...known, ...found]) {
    const { fingerprint, rule } = one
    const key = `${rule} ${fingerprint}`
    if (!entries.has(key)) entries.set(key, { fingerprint, rule, reason: one.reason, expires: one.expires })
  }
  return { findings: [...entries.values()] }
}

/** Leaves out what is known and accepted until the day in `expires`, and says which entries are stale. */
export function applyBaseline(
  result: AuditResult,
  baseline: Baseline,
  today: string,
): { result: AuditResult; stale: string[] } {
  const matches = (entry: Baseline['findings'][number], finding: Finding) =>
    entry.fingerprint === finding.fingerprint && (entry.rule ?? finding.rule) === finding.rule
  const current = baseline.findings.filter(({ expires }) => expires >= today)
  const findings: Finding[] = []
  const accepted: Accepted[] = []
  for (const finding of result.findings) {
    const entry = current.find((one) => matches(one, finding))
    if (entry === undefined) findings.push(finding)
    else accepted.push({ finding, reason: entry.reason, expires: entry.expires })
  }
  const stale = baseline.findings
    .filter((entry) => entry.expires < today || !result.findings.some((finding) => matches(entry, finding)))
    .map(
      (entry) =>
        `${entry.fingerprint} (${entry.expires < today ? `expired on ${entry.expires}` : 'matches nothing'})`,
    )
  return { result: { ...result, findings, accepted }, stale }
}
