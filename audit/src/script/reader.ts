import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FoldedScript, MapSources, Order } from './script.worker.ts'

type Ended = 'time' | 'memory' | 'failed'
/** A result, whose problem says why the text was not read, or not whole. */
type Answer<Read extends { readonly problem: string | null }> = Omit<Read, 'problem'> & {
  readonly problem: Read['problem'] | Ended
}

/** Reads scripts and source maps in a thread, which is started for the first of them. */
export interface ScriptReader {
  fold(script: string): Promise<Answer<FoldedScript>>
  sources(map: string): Promise<Answer<MapSources>>
  close(): Promise<void>
}

/** A tree takes up to 40 bytes for each byte of a script. */
const resourceLimits = { maxOldGenerationSizeMb: 200, maxYoungGenerationSizeMb: 16 }
const lookMs = 100
/** Texts at which the thread was ended: after so many of them, no other one is read. */
const mostEnds = 3

/** Beside this file, or beside the file that a build has put it into. */
const program = ['script.worker.ts', 'script.worker.js']
  .map((name) => join(import.meta.dirname, name))
  .find(existsSync)

/** @param seconds of a processor that one text may take */
export function createScriptReader(prefix: string, seconds: number): ScriptReader {
  let worker: Worker | null = null
  let ends = 0
  const start = () => {
    if (program === undefined) throw new Error('the program that reads scripts is missing')
    const started = new Worker(program, { workerData: prefix, resourceLimits })
    // A thread that is ended may still tell so.
    started.on('error', () => undefined)
    started.unref()
    return started
  }
  const ask = (asked: Worker, order: Order) =>
    new Promise<unknown>((resolve) => {
      const spent = process.cpuUsage()
      const end = (problem: Ended) => {
        ends += 1
        worker = null
        settle(unread(problem), asked.terminate())
      }
      const looks = setInterval(() => {
        const { user, system } = process.cpuUsage(spent)
        if (user + system > seconds * 1_000_000) end('time')
      }, lookMs)
      const isFailed = (error: NodeJS.ErrnoException) =>
        end(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'failed')
      const isGone = () => end('failed')
      /** The next text waits until the memory of a thread that is ended is free. */
      const settle = (answer: unknown, isFree?: Promise<unknown>) => {
        clearInterval(looks)
        asked.off('message', settle).off('error', isFailed).off('exit', isGone)
        if (isFree === undefined) resolve(answer)
        else void isFree.then(() => resolve(answer))
      }
      asked.on('message', settle).on('error', isFailed).on('exit', isGone)
      asked.postMessage(order)
    })
  const answerOf = async (order: Order) => {
    if (ends >= mostEnds) return unread('time')
    worker ??= start()
    return await ask(worker, order)
  }
  return {
    fold: async (text) => (await answerOf({ read: 'script', text })) as Answer<FoldedScript>,
    sources: async (text) => (await answerOf({ read: 'map', text })) as Answer<MapSources>,
    async close() {
      await worker?.terminate()
      worker = null
    },
  }
}

function unread(problem: Ended) {
  return { texts: [], sources: [], problem }
}
