import '../base/async-disposable-stack.ts'
import { TwotokenError } from '../base/errors.ts'
import { withholdEnvironment } from '../base/given-environment.ts'
import { blameUserModule } from '../base/user-modules.ts'
import { blockLimits, startWatchdog } from '../base/watchdog.ts'
import { loadCatalogue } from '../catalogue/load-requirements.ts'
import { sortByTurn } from '../requirement/run.ts'
import { openSession } from '../requirement/session.ts'
import { judgeAll } from './judge-all.ts'
import type { WorkerMessage, WorkerOrder, WorkerTask } from './worker-protocol.ts'

// The process that judges the requirements of a run. Where it is blocked for good it is ended, and the command judges what is left
// in another one.

// A terminal interrupts the whole process group; the command decides what that means.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
process.on('disconnect', () => process.exit())
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
  await judgeAll(checks, session, (report) =>
    tell({ type: 'report', report, issued: session.mintBudget.issued() }),
  )
  await open.disposeAsync()
  await tell({ type: 'ended' })
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
  const error = blameUserModule(thrown) ?? thrown
  const code = error instanceof TwotokenError ? error.code : 'internal'
  return tell({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) })
}

async function leave(): Promise<void> {
  await open.disposeAsync()
  process.disconnect()
}

function tell(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve()
    else process.send?.(message, undefined, undefined, () => resolve())
  })
}
