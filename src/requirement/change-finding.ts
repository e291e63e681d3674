import type { Finding } from './judge.ts'

export function changeFinding(finding: Finding, change: (text: string) => string): Finding {
  const message = change(finding.message)
  if (finding.seen === undefined) return { ...finding, message }
  return {
    ...finding,
    message,
    seen: change(finding.seen),
    expected: change(finding.expected),
    advice: change(finding.advice),
    case: finding.case === undefined ? undefined : change(finding.case),
  }
}
