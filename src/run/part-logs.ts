import type { Exchange } from '../base/evidence/exchange.ts'
import type { Hider } from '../base/evidence/hide.ts'
import { onLines } from '../base/printable.ts'
import type { StartedPart } from '../reports/results.ts'
import { withReason } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import type { ProvisionedStack } from './provision/provisioned-stack.ts'

export interface PartLog extends StartedPart {
  readonly text: string
}

/** Hides what the logs have: a part may print what it was sent. */
export async function readPartLogs(provisioned: ProvisionedStack, hider: Hider): Promise<PartLog[]> {
  const reports = await provisioned.look()
  return reports.map(({ printed, ...report }) => {
    const lines = printed.split('\n').map((line) => hider.text(line))
    return { ...report, log: `${report.part}.log`, text: onLines(lines.join('\n')) }
  })
}

export function nameLogFiles(parts: readonly PartLog[]): Record<string, string> {
  return Object.fromEntries(parts.map(({ log, text }) => [log, text]))
}

/** One line for each part to which something happened while the checks ran. */
export function listPartNotes(parts: readonly PartLog[]): string[] {
  return parts.filter(wasDisturbed).map((part) => `meanwhile ${noteOn(part)}`)
}

/** Adds to a verdict that rests on a broken connection what happened to the part at its other end. */
export function addPartNotes(
  checks: readonly CheckResult[],
  exchanges: readonly Exchange[],
  parts: readonly PartLog[],
): CheckResult[] {
  const disturbed = parts.filter(wasDisturbed)
  if (disturbed.length === 0) return [...checks]
  const broken = new Map(exchanges.filter(hasBroken).map(({ id, to }) => [id, to]))
  return checks.map((check) => {
    if (check.verdict !== 'fail' && check.verdict !== 'error' && check.verdict !== 'untested') return check
    const peers = new Set(
      check.findings.flatMap(({ evidence }) => evidence.flatMap((id) => broken.get(id) ?? [])),
    )
    const notes = disturbed
      .filter(({ part }) => peers.has(part as Exchange['to']) || (isStartCommand(part) && peers.size > 0))
      .map(noteOn)
    return notes.length === 0 ? check : { ...check, ...withReason(check, notes.join('; ')) }
  })
}

function hasBroken(exchange: Exchange): boolean {
  return exchange.kind === 'http'
    ? exchange.failure !== undefined
    : exchange.events.some(({ type }) => type === 'error' || type === 'timeout')
}

function wasDisturbed({ state }: PartLog): boolean {
  return state !== 'running'
}

function noteOn({ part, state, log }: PartLog): string {
  const name = isStartCommand(part) ? 'start.command' : `the ${part}`
  return `${name} ${/^(?:exited|was|ended)/.test(state) ? '' : 'is '}${state}; its output is in ${log}`
}

/** One command may have started every part. */
function isStartCommand(part: string): boolean {
  return part === 'command'
}
