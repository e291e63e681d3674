import { sentNames } from '../../base/evidence/mask/mask-exchange.ts'
import { createFingerprintKey } from '../../base/evidence/redact.ts'
import { maskCheck, maskOf } from '../../reports/mask-results.ts'
import type { CheckResult } from '../../requirement/run.ts'
import type { Session } from '../../requirement/session.ts'

/** A result as a report would show it: a test runner prints what its findings quote. */
export type CheckMask = (result: CheckResult) => CheckResult

/** The mask of a session, which learns what the suite has sent. */
export function createCheckMask({
  configuration,
  journal,
  redactor,
}: Pick<Session, 'configuration' | 'journal' | 'redactor'>): CheckMask {
  const fingerprintKey = createFingerprintKey()
  const sent = new Set<string>()
  return (result) => {
    for (const name of sentNames(journal.drain())) sent.add(name)
    return maskCheck(result, maskOf(sent, { configuration, redactor, fingerprintKey }))
  }
}
