import { type Effort, OverEffort, ofScript, partOf } from '../model/effort.ts'
import type { ScanContext } from '../scan/scan-context.ts'
import { createMachine, type Made, type Program } from './machine.ts'
import { mayTell, reportMade } from './report.ts'
import type { Method } from './step.ts'

/** Code of a file that is worth being run: the program, and the methods to begin with. */
export interface Code {
  readonly program: Program
  readonly methods: Iterable<Method>
}

/**
 * Runs the methods of a file that could put a key together, and reports what they make. Values that are known only at
 * run time are unknown here, and so is everything that is made of them.
 */
export function foldCode(
  audit: ScanContext,
  file: { readonly location: string; readonly format: string; readonly bytes: Buffer },
  read: (audit: ScanContext) => Code | null,
): void {
  const own = partOf(audit.effort, ofScript(file.bytes.length))
  const made: Made[] = []
  try {
    const code = readOrNull(read, { ...audit, effort: own })
    if (code === null) return
    const machine = createMachine(code.program, own, (one) => {
      if (mayTell(one.text, audit.prefix)) made.push(one)
    })
    for (const method of code.methods) machine.explore(method)
  } catch (error) {
    const gap = gapOf(error, own)
    if (gap === null) throw error
    audit.collector.gap(gap.kind, file.location, `not completely folded: ${gap.why}`)
  } finally {
    reportMade(audit, file, made)
  }
}

/** A file whose tables do not parse is reported by the reader of its strings. */
function readOrNull(read: (audit: ScanContext) => Code | null, audit: ScanContext): Code | null {
  try {
    return read(audit)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function gapOf(error: unknown, effort: Effort): { kind: 'limit' | 'fallback'; why: string } | null {
  if (error instanceof RangeError) return { kind: 'fallback', why: 'its methods do not parse' }
  const isOver = error instanceof OverEffort && error.effort === effort
  return isOver ? { kind: 'limit', why: 'its methods cost more than the limits allow' } : null
}
