import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'

const stuck = new Set<Worker>()
const longestEndMs = 2000

/**
 * Ends a thread. One inside a native call goes on until that returns, which may be never: it is left behind then, and
 * only the end of the process ends it.
 */
export async function endThread(worker: Worker, longestMs = longestEndMs): Promise<void> {
  const ended = worker.terminate()
  let timer: NodeJS.Timeout | undefined
  const isEnded = await Promise.race([
    ended.then(() => true),
    new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), longestMs)
    }),
  ])
  clearTimeout(timer)
  if (isEnded) return
  stuck.add(worker)
  worker.unref()
  void ended.then(() => stuck.delete(worker))
}

/** How many threads could not be ended so far: each takes a processor. */
export function countStuckThreads(): number {
  return stuck.size
}

/**
 * Leaves the process with its exit code although threads cannot be ended: Node would wait for them for ever. Another
 * program takes the place of the process, and the threads are gone. Does nothing where no thread is stuck.
 */
export async function leaveStuckThreads(): Promise<void> {
  if (stuck.size === 0) return
  await Promise.all([process.stdout, process.stderr].map(drained))
  // Absent on Windows: there the process ends with the code of one that was killed, which is not 0 either.
  if (process.execve === undefined || process.platform === 'win32') process.kill(process.pid, 'SIGKILL')
  else {
    const program = `process.exitCode = ${Number(process.exitCode ?? 0)}`
    process.execve(process.execPath, [process.execPath, '--eval', program], {})
  }
}

async function drained(stream: NodeJS.WriteStream): Promise<void> {
  if (stream.writableNeedDrain && !stream.destroyed) await once(stream, 'drain')
  await new Promise<void>((resolve) => stream.write('', () => resolve()))
}
