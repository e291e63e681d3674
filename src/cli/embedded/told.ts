import type { CheckResult } from '../../check/run-check.ts'

/** What a test runner is told of one requirement. */
export interface Told {
  readonly kind: 'failed' | 'untested' | 'remark' | 'held'
  readonly text: string
}

/** A verdict as a test runner can say it: a test passes, fails, or was not run. */
export function toldInATest({ id, verdict, reason, findings }: CheckResult): Told {
  const of = (wanted: string) => findings.filter((finding) => finding.verdict === wanted)
  const sentences = (texts: readonly (string | null)[]) =>
    `${id}: ${texts.filter((text) => text !== null).join('; ') || verdict}`
  const messages = (wanted: string) => of(wanted).map(({ message }) => message)
  switch (verdict) {
    case 'fail':
    case 'error':
      return { kind: 'failed', text: sentences([...messages(verdict), reason]) }
    case 'untested':
      return { kind: 'untested', text: sentences([reason]) }
    case 'warn':
      return { kind: 'remark', text: sentences([...messages('warn'), reason]) }
    case 'not-applicable':
      return { kind: 'remark', text: sentences([reason]) }
    default:
      return { kind: 'held', text: sentences([reason]) }
  }
}
