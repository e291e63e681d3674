import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { hasGroups, signalGroup } from '../../base/signal-group.ts'
import { betweenSignalsMs, restartPauseMs } from '../../base/times.ts'
import { endTogether } from '../../base/watchdog.ts'

interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
}

const keptCharacters = 200_000

/** Starts a program in a process group of its own; one that cannot be started has ended. */
export function startProcessGroup({ file, args, directory, environment }: Program) {
  const child = spawn(file, args, {
    cwd: directory,
    env: environment,
    detached: hasGroups,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const together = child.pid === undefined ? null : endTogether(child.pid)
  let printed = ''
  let end: string | null = null
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(-keptCharacters)
    })
  const ended = new Promise<string>((resolve) => {
    const over = (how: string) => {
      end ??= how
      resolve(end)
    }
    child.once('error', (error) => over(`could not be started (${error.message})`))
    child.once('exit', (code, signal) =>
      over(code === null ? `was terminated by ${signal}` : `exited with code ${code}`),
    )
  })
  return {
    /** Resolves when it has ended, with a text such as "exited with code 1". */
    ended,
    /** The same text, or null while it runs. */
    state: () => end,
    printed: () => printed,
    /** Ends the whole group: with SIGTERM, and with SIGKILL what is left after `graceMs`. */
    async stop(graceMs: number) {
      signalGroup(child.pid, 'SIGTERM')
      const deadline = performance.now() + graceMs
      while (signalGroup(child.pid, 0) && performance.now() < deadline) await delay(betweenSignalsMs)
      signalGroup(child.pid, 'SIGKILL')
      together?.[Symbol.dispose]()
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

/** One that ends more often serves nothing between its ends. */
const mostRestarts = 100

/** Starts a program again where it ends by itself, as a supervisor in production does. */
export function startSupervised(program: Program) {
  let current = startProcessGroup(program)
  let printedBefore = ''
  let restarts = 0
  let lastEnd = ''
  let isStopped = false
  let next = Promise.withResolvers<void>()
  let isUseless = false
  const restartAtEnd = async (ended: typeof current) => {
    const end = await ended.ended
    lastEnd = isUseless ? 'was ended for serving nothing' : end
    // One that has started its servers in the background has not failed.
    if (isStopped || lastEnd === 'exited with code 0' || restarts === mostRestarts) return next.resolve()
    restarts += 1
    printedBefore += ended.printed()
    // The rest of the group would keep its address.
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
    /** Starts it again whenever it ends. Before it was ready for the first time, its end is an error instead. */
    supervise: () => void restartAtEnd(current),
    /** Ends it, for it serves nothing any more, and resolves when it has been started again. */
    async restart() {
      isUseless = true
      const started = next.promise
      await current.stop(0)
      await started
    },
    state: () => current.state() ?? (restarts === 0 ? null : restarted()),
    printed: () => printedBefore + current.printed(),
    async stop(graceMs: number) {
      isStopped = true
      await current.stop(graceMs)
    },
  }
}
