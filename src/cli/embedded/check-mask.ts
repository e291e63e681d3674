import { sentNames } from '../../base/evidence/hide-exchange.ts'
import { createFingerprintKey } from '../../base/evidence/secrets.ts'
import { hideCheck, hiderOf } from '../../reports/hide-results.ts'
import type { CheckResult } from '../../requirement/run.ts'
import type { Session } from '../../requirement/session.ts'

/** A result as a report would show it: a test runner prints what its findings quote. */
export type CheckMask = (result: CheckResult) => CheckResult

/** The mask of a session, which learns what the suite has sent. */
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
