import type { AnyCheck } from '../requirement/define.ts'
import { runCheck } from '../requirement/run.ts'
import type { Session } from '../requirement/session.ts'
import type { CheckReport } from './worker-protocol.ts'

/** Judges all checks, each when its turn has come in the lanes of the session. */
export async function judgeAll(
  checks: readonly AnyCheck[],
  session: Session,
  onReport: (report: CheckReport) => unknown,
): Promise<void> {
  await Promise.all(checks.map(async (check) => void onReport(await judgeOne(check, session))))
}

async function judgeOne(check: AnyCheck, session: Session): Promise<CheckReport> {
  const judged = await runCheck(check, session)
  const isBad = judged.verdict === 'fail' || judged.verdict === 'error'
  const kept = await session.settleTraces(check.id, isBad)
  const result =
    kept.length === 0
      ? judged
      : { ...judged, observations: { ...judged.observations, keptInFolderClient: kept } }
  return {
    result,
    exchanges: session.journal.drain(),
    secrets: session.secrets.drain(),
    metLimits: session.metLimits(),
  }
}
