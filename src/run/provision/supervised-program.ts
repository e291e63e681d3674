import { setTimeout as delay } from 'node:timers/promises'
import { restartPauseMs } from '../../base/times.ts'
import { type ProcessGroup, type Program, startProcessGroup } from './process-group.ts'

/** A program that is started again where it ends by itself, as a supervisor in production does. */
export interface SupervisedProgram extends Pick<ProcessGroup, 'state' | 'printed' | 'stop'> {
  /** Starts it again from now on: until it has been ready once, its end is an error of its own. */
  supervise(): void
  /** Ends it, for it serves nothing any more, and resolves when it has been started again. */
  restart(): Promise<void>
}

/** One that ends more often serves nothing between its ends. */
const mostRestarts = 100

export function startSupervised(program: Program): SupervisedProgram {
  let current = startProcessGroup(program)
  let printedBefore = ''
  let restarts = 0
  let lastEnd = ''
  let isStopped = false
  let next = Promise.withResolvers<void>()
  let isUseless = false
  const restartAtEnd = async (ended: ProcessGroup) => {
    const end = await ended.ended
    lastEnd = isUseless ? 'was ended for serving nothing' : end
    // One that has started its servers in the background has not failed.
    if (isStopped || lastEnd === 'exited with code 0' || restarts === mostRestarts) return next.resolve()
    restarts += 1
    printedBefore += ended.printed()
    // What else is left of the group would keep its address.
    await ended.stop(0)
    await delay(restartPauseMs)
    if (isStopped) return
    current = startProcessGroup(program)
    isUseless = false
    next.resolve()
    next = Promise.withResolvers()
    void restartAtEnd(current)
  }
  const restarted = () =>
    `${lastEnd} and was started again (${restarts} ${restarts === 1 ? 'time' : 'times'})`
  return {
    supervise: () => void restartAtEnd(current),
    async restart() {
      isUseless = true
      const started = next.promise
      await current.stop(0)
      await started
    },
    state: () => current.state() ?? (restarts === 0 ? null : restarted()),
    printed: () => printedBefore + current.printed(),
    async stop(graceMs) {
      isStopped = true
      await current.stop(graceMs)
    },
  }
}
