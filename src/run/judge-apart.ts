import { TwotokenError } from '../base/errors.ts'
import { onOneLine } from '../base/printable.ts'
import { openTempFolder } from '../base/temp-folder.ts'
import { cancelMs } from '../base/times.ts'
import type { BlockedLoop } from './blocked-loops.ts'
import {
  type RunEvents,
  startWorker,
  type WorkerMessage,
  type WorkerOrder,
  type WorkerProcess,
  type WorkerTask,
} from './worker-protocol.ts'

/** Judges in a child process, and in a second one what is left where its watchdog ended it. Gives the error, or null. */
export async function judgeApart(
  task: WorkerTask,
  variables: NodeJS.ProcessEnv,
  events: RunEvents,
  blocked: { list(): Promise<readonly BlockedLoop[]> },
  signal: AbortSignal,
): Promise<TwotokenError | null> {
  const judged = new Set<string>()
  let issued = 0
  const following: RunEvents = {
    ...events,
    onReport(report) {
      judged.add(report.result.id)
      events.onReport(report)
    },
  }
  const judge = async (given: WorkerTask, environment: NodeJS.ProcessEnv) => {
    const child = startChild(given, environment, following, (count) => {
      issued = count
    })
    signal.addEventListener('abort', child.interrupt)
    if (signal.aborted) child.interrupt()
    return await child.ended.finally(() => signal.removeEventListener('abort', child.interrupt))
  }
  const judgeAll = async (environment: NodeJS.ProcessEnv): Promise<TwotokenError | null> => {
    const failure = await judge(task, environment)
    const blocks = failure === null || signal.aborted ? [] : await blocked.list()
    if (blocks.length === 0) return failure
    const culprits = new Set(blocks.map(({ what }) => what.split(',', 1)[0]))
    const ids = task.ids.filter((id) => !judged.has(id) && !culprits.has(id))
    if (ids.length === 0) return failure
    const maxMints = task.maxMints && Math.max(0, task.maxMints - issued)
    return await judge({ ...task, ids, maxMints, exchangePrefix: 'n' }, environment)
  }
  const run = async (): Promise<TwotokenError | null> => {
    // Browsers make sockets inside, whose paths may have 104 characters: the usual folder of macOS is too long.
    const folder = await openTempFolder(process.platform === 'darwin' ? { parent: '/tmp' } : {})
    const { path } = folder
    const failure = await judgeAll({ ...variables, TMPDIR: path, TEMP: path, TMP: path })
    const unremoved = await folder[Symbol.asyncDispose]().catch((error: unknown) => {
      const message = `cannot remove the temporary folder ${path}: remove it by hand, it may contain browser data`
      return new TwotokenError('unwritable', message, error)
    })
    return failure ?? unremoved ?? null
  }
  return await run().catch((error: unknown) => failureOf(String(error)))
}

function startChild(
  task: WorkerTask,
  env: NodeJS.ProcessEnv,
  events: RunEvents,
  onIssued: (count: number) => void,
) {
  let failure: TwotokenError | null = null
  let hasEnded = false
  const onMessage = (message: WorkerMessage) => {
    if (message.type === 'started') events.onStarted()
    if (message.type === 'restart')
      void events.restart?.().then((isServing) => worker.order({ type: 'restarted', isServing }))
    if (message.type === 'turn') events.onTurn(message.id, message.hasTurn)
    if (message.type === 'failed') failure ??= new TwotokenError(message.code, message.message)
    if (message.type === 'ended') hasEnded = true
    if (message.type !== 'report') return
    onIssued(message.issued)
    events.onReport(message.report)
  }
  const worker: WorkerProcess<WorkerOrder> = startWorker('judge', onMessage, env)
  worker.order({ type: 'begin', task })
  return {
    // Resolves with null when the checks have been judged.
    ended: worker.ended.then((why) => failure ?? (hasEnded ? null : failureOf(why))),
    interrupt() {
      worker.order({ type: 'interrupt' })
      const tooLong = setTimeout(worker.kill, cancelMs)
      void worker.ended.then(() => clearTimeout(tooLong))
    },
  }
}

function failureOf(why: string): TwotokenError {
  return new TwotokenError(
    'internal',
    `the checks could not be run: ${onOneLine(why) || 'their process ended early'}`,
  )
}
