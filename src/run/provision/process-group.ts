import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { hasGroups, signalGroup } from '../../base/signal-group.ts'
import { betweenSignalsMs } from '../../base/times.ts'
import { endTogether } from '../../base/watchdog.ts'

export interface ProcessGroup {
  /** Resolves when it has ended, with a text such as "exited with code 1". */
  readonly ended: Promise<string>
  /** The same text, or null while it runs. */
  state(): string | null
  printed(): string
  /** Ends the whole group: with SIGTERM, and with SIGKILL what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>
}

export interface Program {
  readonly file: string
  readonly args: readonly string[]
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
}

const keptCharacters = 200_000

/** Starts a program in a process group of its own; one that cannot be started has ended. */
export function startProcessGroup({ file, args, directory, environment }: Program): ProcessGroup {
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
    ended,
    state: () => end,
    printed: () => printed,
    async stop(graceMs) {
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
