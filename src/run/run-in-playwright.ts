import { fork } from 'node:child_process'
import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { systemClock } from '../base/clock.ts'
import { TwotokenError } from '../base/errors.ts'
import { onOneLine } from '../base/printable.ts'
import { chooseCodeCache, codeCacheVariable } from './code-cache.ts'
import { createTempDir } from './temp-dir.ts'
import {
  type ClientRunMessage,
  type RunEvents,
  type RunningChecks,
  taskVariable,
  type WorkerTask,
} from './worker-protocol.ts'

const reporterFile = join(import.meta.dirname, `playwright-reporter${extname(import.meta.filename)}`)

const hasGroups = process.platform !== 'win32'

/** How long Playwright has to end its workers and their browsers. */
const cancelMs = 2000

/**
 * Has Playwright run the checks of the client, and turns the messages of its reporter into events of the run. What it and its
 * browsers write (profiles, traces with every header) is in one folder, which is removed when they have ended.
 */
export async function startClientChecks(
  configurationFile: string,
  task: WorkerTask,
  variables: NodeJS.ProcessEnv,
  events: Pick<RunEvents, 'onStarted' | 'onReport'>,
): Promise<RunningChecks> {
  const cli = createRequire(import.meta.url).resolve('@playwright/test/cli')
  const tempDir = await createTempDir()
  const child = fork(cli, ['test', '--config', configurationFile, '--reporter', reporterFile], {
    env: {
      [codeCacheVariable]: await chooseCodeCache(tempDir),
      ...variables,
      ...tempDir.variables,
      [taskVariable]: 'message',
    },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A process group of its own: none of its workers stays behind, and an interruption reaches it once.
    detached: hasGroups,
  })
  child.send(task)
  let failure: string | null = null
  let hasEnded = false
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-2000)
    })
  child.on('message', (message: ClientRunMessage) => {
    if (message.type === 'started') events.onStarted(task.ids.length)
    else if (message.type === 'report') events.onReport(message.report)
    else if (message.type === 'error') failure ??= message.message
    else hasEnded = true
  })
  const ended = new Promise<TwotokenError | null>((resolve) => {
    child.once('error', (error) => resolve(failureOf(error.message)))
    child.once('exit', () => {
      if (failure !== null) resolve(failureOf(failure))
      else resolve(hasEnded ? null : failureOf(lastLine(printed)))
    })
  })
  const finished = ended.then(async (failed) => {
    endGroup(child.pid)
    const left = await tempDir.remove()
    return failed ?? left
  })
  return {
    finished,
    async cancel() {
      child.kill('SIGINT')
      const tooLong = systemClock.until(systemClock.monotonic() + cancelMs).then(() => true)
      if (await Promise.race([finished.then(() => false), tooLong])) child.kill('SIGKILL')
      await finished
    },
  }
}

/** Workers that outlive the process that has started them. */
function endGroup(leader: number | undefined): void {
  if (leader === undefined || !hasGroups) return
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // No process is left.
  }
}

function failureOf(why: string): TwotokenError {
  return new TwotokenError('internal', `the client checks could not run: ${onOneLine(why)}`)
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? 'Playwright ended early'
}
