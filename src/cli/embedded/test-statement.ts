import { sentNames } from '../../base/evidence/hide-exchange.ts'
import { createFingerprintKey } from '../../base/evidence/secrets.ts'
import { onOneLine } from '../../base/printable.ts'
import type { Verdict } from '../../base/verdict.ts'
import { statementsOf } from '../../reports/describe-results.ts'
import { hideCheck, hiderOf } from '../../reports/hide-results.ts'
import type { CheckResult } from '../../requirement/run.ts'
import type { Session } from '../../requirement/session.ts'

export interface TestStatement {
  readonly kind: 'failed' | 'untested' | 'remark' | 'passed'
  readonly text: string
}

const kinds: Readonly<Record<Verdict, TestStatement['kind']>> = {
  fail: 'failed',
  error: 'failed',
  untested: 'untested',
  warn: 'remark',
  'not-applicable': 'remark',
  info: 'passed',
  pass: 'passed',
}

/** Translates a verdict for a test runner, where a test passes, fails or is skipped. */
export function describeForTest(result: CheckResult): TestStatement {
  const { id, verdict } = result
  return { kind: kinds[verdict], text: onOneLine(`${id}: ${statementsOf(result).join('; ') || verdict}`) }
}

/** A result as a report would show it: a test runner prints what its findings quote. */
export type CheckMask = (result: CheckResult) => CheckResult

export function createCheckMask({
  configuration,
  journal,
  secrets,
}: Pick<Session, 'configuration' | 'journal' | 'secrets'>): CheckMask {
  const fingerprintKey = createFingerprintKey()
  const sent = new Set<string>()
  return (result) => {
    for (const name of sentNames(journal.drain(), secrets)) sent.add(name)
    return hideCheck(result, hiderOf(sent, { configuration, secrets, fingerprintKey }))
  }
}
