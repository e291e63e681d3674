import { TwotokenError } from '../base/errors.ts'
import type { Registered } from '../base/evidence/secrets.ts'
import { onOneLine } from '../base/printable.ts'
import { blockLimits } from '../base/watchdog.ts'
import { unexplored } from '../explore/explore-role.ts'
import { withReason } from '../requirement/judge.ts'
import type { CheckResult } from '../requirement/run.ts'
import { type BlockedLoop, watchForBlockedLoops } from './blocked-loops.ts'
import {
  type ExplorationMessage,
  type ExplorationOrder,
  type ExplorationTask,
  type SideRun,
  startWorker,
  type WorkerProcess,
} from './worker-protocol.ts'

export interface ExplorationEvents {
  onStory?(stories: number, steps: number): void
  onFound?(id: string, title: string): void
  onBlocked(block: BlockedLoop): void
}

export interface ExplorationRun extends SideRun {
  /** Why the process ended early, where it was not ended for being blocked. */
  readonly failure: TwotokenError | null
}

/** Explores a part in a child process. Its results so far are kept where it ends early; throws where it told no story. */
export async function exploreApart(
  task: Omit<ExplorationTask, 'watchdog'>,
  signal: AbortSignal,
  events: ExplorationEvents,
  limits = blockLimits,
): Promise<ExplorationRun> {
  await using blocked = await watchForBlockedLoops(events.onBlocked)
  const secrets: Registered[] = []
  let soFar: SideRun | null = null
  let failure: TwotokenError | null = null
  let hasBegun = false
  let hasEnded = false
  const onMessage = (message: ExplorationMessage) => {
    if (message.type === 'story') {
      hasBegun = true
      events.onStory?.(message.stories, message.steps)
    } else if (message.type === 'found') events.onFound?.(message.id, message.title)
    else if (message.type === 'failed') failure = new TwotokenError(message.code, message.message)
    else {
      soFar = message.explored
      secrets.push(...message.explored.secrets)
      hasEnded = message.type === 'end'
    }
  }
  const worker: WorkerProcess<ExplorationOrder> = startWorker('exploration', onMessage)
  const interrupt = () => worker.order({ type: 'interrupt' })
  worker.order({ type: 'begin', task: { ...task, watchdog: { file: blocked.file, ...limits } } })
  signal.addEventListener('abort', interrupt)
  if (signal.aborted) interrupt()
  const lastWords = await worker.ended
  signal.removeEventListener('abort', interrupt)
  if (failure !== null && !hasBegun) throw failure
  const { checks, exchanges } = soFar ?? { checks: unexplored(task.role, task.replay), exchanges: [] }
  if (hasEnded) return { checks, exchanges, secrets, failure: null }
  const blocks = await blocked.list()
  const why = lastWords === '' ? '' : ` (${onOneLine(lastWords)})`
  const ended = `the process that explores ended early${why}; the results are those so far`
  return {
    checks: checks.map((check) => addBlocks(check, blocks)),
    exchanges,
    secrets,
    failure: failure ?? (blocks.length > 0 ? null : new TwotokenError('internal', ended)),
  }
}

function addBlocks(check: CheckResult, blocks: readonly BlockedLoop[]): CheckResult {
  const notes = blocks.map(({ what, seconds }) => `blocked for ${seconds} s or more by ${onOneLine(what)}`)
  const isConcerned = check.verdict === 'error' && notes.length > 0
  return isConcerned ? { ...check, ...withReason(check, notes.join('; ')) } : check
}
