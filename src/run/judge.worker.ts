import '../base/async-disposable-stack.ts'
import { withholdEnvironment } from '../base/given-environment.ts'
import { blameUserModule } from '../base/user-modules.ts'
import { blockLimits, startWatchdog } from '../base/watchdog.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import type { AnyCheck } from '../requirement/define.ts'
import { runCheck, sortByTurn } from '../requirement/run.ts'
import { openSession, type Session } from '../requirement/session.ts'
import {
  type CheckReport,
  followCommand,
  tell,
  tellFailure,
  type WorkerOrder,
  type WorkerTask,
} from './worker-protocol.ts'

// The process that judges the requirements of a run. Where it is blocked for good it is ended, and the command judges what is left
// in another one.

followCommand()
// A connection that throws when its check is over must not end the others.
for (const event of ['uncaughtException', 'unhandledRejection'] as const)
  process.on(event, (error: unknown) => void fail(error))

const open = new AsyncDisposableStack()
process.on('message', (order: WorkerOrder) => {
  if (order.type === 'interrupt') void open.disposeAsync().finally(() => process.exit())
  if (order.type === 'begin') void judge(order.task).catch(fail).finally(leave)
})

async function judge({ configuration, blockedFile, ids, canRestart, ...options }: WorkerTask): Promise<void> {
  const { env } = process
  withholdEnvironment(configuration)
  open.use(startWatchdog({ file: blockedFile, ...blockLimits }))
  const session = await openSession(configuration, {
    ...options,
    environment: env,
    restart: canRestart ? restart : undefined,
    onTurn: (id, hasTurn) => void tell({ type: 'turn', id, hasTurn }),
  })
  open.use(session)
  const checks = sortByTurn((await loadCatalogue()).filter(({ id }) => ids.includes(id)))
  await tell({ type: 'started' })
  const judgeInTurn = async (check: AnyCheck) => {
    const report = await judgeOne(check, session)
    await tell({ type: 'report', report, issued: session.mintBudget.issued() })
  }
  await Promise.all(checks.map(judgeInTurn))
  await open.disposeAsync()
  await tell({ type: 'ended' })
}

async function judgeOne(check: AnyCheck, session: Session): Promise<CheckReport> {
  const judged = await runCheck(check, session)
  const isBad = judged.verdict === 'fail' || judged.verdict === 'error'
  const kept = await session.settleTraces(check.id, isBad)
  const observations =
    kept.length === 0 ? judged.observations : { ...judged.observations, keptInFolderClient: kept }
  return {
    result: { ...judged, observations },
    exchanges: session.journal.drain(),
    secrets: session.secrets.drain(),
    metLimits: session.metLimits(),
  }
}

/** The command has started the parts, and not this process. */
async function restart(): Promise<boolean> {
  const answered = new Promise<boolean>((resolve) => {
    const onOrder = (order: WorkerOrder) => {
      if (order.type !== 'restarted') return
      process.off('message', onOrder)
      resolve(order.isServing)
    }
    process.on('message', onOrder)
  })
  await tell({ type: 'restart' })
  return await answered
}

function fail(thrown: unknown): Promise<void> {
  return tellFailure(blameUserModule(thrown) ?? thrown)
}

async function leave(): Promise<void> {
  await open.disposeAsync()
  process.disconnect()
}
