import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import { onOneLine } from '../base/printable.ts'
import { hasGroups, signalGroup } from '../base/signal-group.ts'
import { cancelMs } from '../base/times.ts'
import type { BlockedLoops } from './blocked-loops.ts'
import { createTempDir } from './temp-dir.ts'
import type { RunEvents, RunningChecks, WorkerMessage, WorkerOrder, WorkerTask } from './worker-protocol.ts'

const worker = join(import.meta.dirname, `judge.worker${extname(import.meta.filename)}`)
const longestTail = 2000

/**
 * Judges the checks of a task in a child process. Where its loop is blocked until its watchdog ends it, a second one judges what is
 * left but for the check that blocked it. What browsers write (profiles, traces with every header) is in one folder, which is
 * removed in the end.
 */
export function judgeApart(
  task: WorkerTask,
  variables: NodeJS.ProcessEnv,
  events: RunEvents,
  blocked: Pick<BlockedLoops, 'list'>,
): RunningChecks {
  const judged = new Set<string>()
  let issued = 0
  let child: Child | null = null
  let isCancelled = false
  const following: RunEvents = {
    ...events,
    onReport(report) {
      judged.add(report.result.id)
      events.onReport(report)
    },
  }
  const judge = async (given: WorkerTask, environment: NodeJS.ProcessEnv) => {
    child = startChild(given, environment, following, (count) => {
      issued = count
    })
    if (isCancelled) child.interrupt()
    return await child.ended
  }
  const judgeAll = async (environment: NodeJS.ProcessEnv): Promise<TwotokenError | null> => {
    const failure = await judge(task, environment)
    const blocks = failure === null || isCancelled ? [] : await blocked.list()
    if (blocks.length === 0) return failure
    const culprits = new Set(blocks.map(({ what }) => what.split(',', 1)[0]))
    const ids = task.ids.filter((id) => !judged.has(id) && !culprits.has(id))
    if (ids.length === 0) return failure
    const maxMints = left(task.maxMints, issued)
    return await judge({ ...task, ids, maxMints, exchangePrefix: 'n' }, environment)
  }
  const run = async (): Promise<TwotokenError | null> => {
    const tempDir = await createTempDir()
    const failure = await judgeAll({ ...variables, ...tempDir.variables })
    const unremoved = await tempDir.remove()
    return failure ?? unremoved
  }
  const finished = run().catch((error: unknown) => failureOf(String(error)))
  return {
    finished,
    async cancel() {
      isCancelled = true
      child?.interrupt()
      await finished
    },
  }
}

function left(limit: number | undefined, issued: number): number | undefined {
  return limit === undefined ? undefined : Math.max(0, limit - issued)
}

interface Child {
  /** Resolves with null when the checks have been judged. */
  readonly ended: Promise<TwotokenError | null>
  interrupt(): void
}

function startChild(
  task: WorkerTask,
  env: NodeJS.ProcessEnv,
  events: RunEvents,
  onIssued: (count: number) => void,
): Child {
  // A process group of its own: no browser stays behind, and an interruption reaches it once.
  const child = fork(worker, [], {
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: hasGroups,
  })
  const order = (message: WorkerOrder) => child.connected && child.send(message)
  let failure: TwotokenError | null = null
  let hasEnded = false
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-longestTail)
    })
  child.on('message', (message: WorkerMessage) => {
    if (message.type === 'started') events.onStarted(task.ids.length)
    if (message.type === 'restart')
      void events.restart?.().then((isServing) => order({ type: 'restarted', isServing }))
    if (message.type === 'turn') events.onTurn(message.id, message.hasTurn)
    if (message.type === 'failed') failure ??= new TwotokenError(message.code, message.message)
    if (message.type === 'ended') hasEnded = true
    if (message.type !== 'report') return
    onIssued(message.issued)
    events.onReport(message.report)
  })
  const ended = new Promise<TwotokenError | null>((resolve) => {
    const end = (why: string) => {
      signalGroup(child.pid, 'SIGKILL')
      resolve(failure ?? (hasEnded ? null : failureOf(why)))
    }
    child.once('error', (error) => end(error.message))
    child.once('close', () => end(printed.trim().split('\n').at(-1) ?? ''))
  })
  order({ type: 'begin', task })
  return {
    ended,
    interrupt() {
      order({ type: 'interrupt' })
      const tooLong = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), cancelMs)
      void ended.then(() => clearTimeout(tooLong))
    },
  }
}

function failureOf(why: string): TwotokenError {
  return new TwotokenError(
    'internal',
    `the checks could not be run: ${onOneLine(why) || 'their process ended early'}`,
  )
}
