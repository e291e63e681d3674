import type { Exchange } from '../base/evidence/exchange.ts'
import type { Redactor } from '../base/evidence/redact.ts'
import type { StartedPart } from '../reports/results.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { Started } from './provision/started.ts'

/** A part as it stands in the results, with the text of its log. */
export interface PartLog extends StartedPart {
  readonly text: string
}

/** The redactor knows the secrets that came up while the checks ran: a part may print what it was sent. */
export async function partLogs(started: Started, redactor: Redactor): Promise<PartLog[]> {
  const reports = await started.look()
  return reports.map(({ log, ...report }) => ({
    ...report,
    log: `${report.part}.log`,
    text: redactor.text(log),
  }))
}

/** By the name of the file. */
export function logFiles(parts: readonly PartLog[]): Record<string, string> {
  return Object.fromEntries(parts.map(({ log, text }) => [log, text]))
}

/** One line for each part to which something happened while the checks ran. */
export function partNotes(parts: readonly PartLog[]): string[] {
  return parts.filter(wasDisturbed).map((part) => `meanwhile ${noteOn(part)}`)
}

/** A verdict that rests on a conversation which broke off says what had happened to the part at the other end. */
export function withPartNotes(
  checks: readonly CheckResult[],
  exchanges: readonly Exchange[],
  parts: readonly PartLog[],
): CheckResult[] {
  const disturbed = parts.filter(wasDisturbed)
  if (disturbed.length === 0) return [...checks]
  const broken = new Map(exchanges.filter(hasBroken).map(({ id, to }) => [id, to]))
  return checks.map((check) => {
    if (check.verdict !== 'fail' && check.verdict !== 'error' && check.verdict !== 'untested') return check
    const peers = new Set(check.findings.flatMap(({ evidence }) => evidence.map((id) => broken.get(id))))
    const notes = disturbed.filter(({ part }) => peers.has(part as Exchange['to'])).map(noteOn)
    if (notes.length === 0) return check
    return { ...check, reason: [check.reason, ...notes].filter((text) => text !== null).join('; ') }
  })
}

function hasBroken(exchange: Exchange): boolean {
  return exchange.kind === 'http'
    ? exchange.failure !== undefined
    : exchange.events.some(({ type }) => type === 'error' || type === 'timeout')
}

function wasDisturbed({ state, events }: PartLog): boolean {
  return state !== 'running' || events.length > 0
}

function noteOn({ part, state, events }: PartLog): string {
  return `the ${part} ${[...events, `and ${state === 'running' ? 'runs' : state} now`].join(', ')}`
}
