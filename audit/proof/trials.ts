import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** A trial at which a process reported something, crashed or hung; trials are counted from 0. */
export interface TrialFault {
  readonly index: number
  readonly fault: string
}

export interface Trials {
  readonly faults: readonly TrialFault[]
  /** Memory of the largest process. */
  readonly megabytes: number
}

export interface TrialOptions {
  /** A module that calls `answerTrials`. */
  readonly program: string
  /** Given to the process, buffers included. */
  readonly task: unknown
  /** Processor time that one trial may take before it counts as a hang. */
  readonly mostSeconds?: number
}

interface Order {
  readonly task: unknown
  readonly from: number
}
type Message =
  | { readonly index: number; readonly fault?: string }
  | { readonly index: null; readonly megabytes: number }

/**
 * Makes trials in a process beside this one. The system can end a process whatever it does, native calls included: a trial that
 * never comes back is named by its index, and another process goes on behind it.
 */
export async function makeTrials(options: TrialOptions): Promise<Trials> {
  const faults: TrialFault[] = []
  let megabytes = 0
  for (let from = 0; ; ) {
    const ended = await trialsFrom(from, options, faults)
    megabytes = Math.max(megabytes, ended.megabytes)
    if (ended.died === null) return { faults, megabytes }
    if (ended.index < from) throw new Error(`no trial was begun: ${ended.died}`)
    faults.push({ index: ended.index, fault: ended.died })
    from = ended.index + 1
  }
}

/** Answers the trials of one task, for the module that is started. */
export function answerTrials<Task>(trialsOf: (task: Task) => Iterable<() => Promise<string | null>>): void {
  const say = (message: Message) => new Promise<void>((sent) => process.send?.(message, () => sent()))
  // The parent was ended: the other trials are of no use.
  process.once('disconnect', () => process.exit())
  process.once('message', async ({ task, from }: Order) => {
    let index = -1
    for (const trial of trialsOf(task as Task)) {
      index += 1
      if (index < from) continue
      // The index is out before the trial begins, which may never give back control.
      await say({ index })
      const fault = await trial()
      if (fault !== null) await say({ index, fault })
    }
    await say({ index: null, megabytes: process.resourceUsage().maxRSS / 1024 })
    process.disconnect()
  })
}

async function trialsFrom(
  from: number,
  { program, task, mostSeconds = 20 }: TrialOptions,
  faults: TrialFault[],
): Promise<{ readonly index: number; readonly died: string | null; readonly megabytes: number }> {
  const child = fork(program, { execArgv: ['--no-warnings'], serialization: 'advanced' })
  let [index, megabytes, isDone] = [from - 1, 0, false]
  let hang: string | null = null
  child.on('message', (message: Message) => {
    if (message.index === null) {
      megabytes = message.megabytes
      isDone = true
    } else if (message.fault === undefined) index = message.index
    else faults.push({ index: message.index, fault: message.fault })
  })
  child.send({ task, from } satisfies Order)
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  let [watched, since] = [index, secondsOf(child.pid)]
  for (let isOver = false; !isOver; ) {
    isOver = await Promise.race([exit.then(() => true), wait(250, false)])
    const seconds = secondsOf(child.pid)
    if (index !== watched) [watched, since] = [index, seconds]
    else if (seconds - since > mostSeconds && hang === null) {
      hang = `hang: no end after ${mostSeconds} s of a processor`
      child.kill('SIGKILL')
    }
  }
  const [code, signal] = await exit
  const died = isDone ? null : (hang ?? `crash: the process ended with ${signal ?? code}`)
  return { index, died, megabytes }
}

const hasProcesses = existsSync('/proc/self/stat')

/** Processor time of a process, which others on the machine do not change; without /proc, time on the clock. */
function secondsOf(pid: number | undefined): number {
  if (!hasProcesses) return performance.now() / 1000
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    // It has ended, and its exit is not told yet.
    return 0
  }
}
