import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import type { Cell } from './prove.ts'

/** Which cases are proved; plain data, since it goes to other processes. */
export interface CaseChoice {
  /** Beginnings of requirement ids; all where there are none. */
  readonly ids: readonly string[]
  /** Only conforming variants whose name begins so. */
  readonly conforming?: string
  /** Each conforming client meets some of the requirements only. */
  readonly isSlice: boolean
  /** Only what `npm test` does not prove: conforming variants, and clients. */
  readonly isRest: boolean
}

/** The cells of one case. */
export interface ProvedCase {
  readonly name: string
  readonly cells: readonly Cell[]
  readonly seconds: number
}

export type ToProcess = { readonly prove: string } | { readonly end: true }
export type FromProcess = { readonly names: readonly string[] } | { readonly proved: ProvedCase }

/** A case is mostly waiting; more at once would let deadlines of real exchanges pass. */
const atOnce = 6

const program = join(import.meta.dirname, `prove-in-process${extname(import.meta.filename)}`)

/**
 * Proves every case in `count` processes, each case in the first process with room for it.
 * @throws Error where a process ends early
 */
export async function proveInProcesses(
  choice: CaseChoice,
  count: number,
  onProved: (proved: ProvedCase) => void,
): Promise<ProvedCase[]> {
  let waiting: string[] | null = null
  const proved: ProvedCase[] = []
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(program, [JSON.stringify(choice)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      let pending = 0
      let isOver = false
      const tell = (message: ToProcess) => child.send(message)
      const next = () => {
        const name = waiting?.shift()
        if (name !== undefined) {
          pending += 1
          tell({ prove: name })
        } else if (pending === 0 && !isOver) {
          isOver = true
          tell({ end: true })
        }
      }
      child.on('message', (message: FromProcess) => {
        if ('names' in message) {
          waiting ??= [...message.names]
          for (let place = 0; place < atOnce; place += 1) next()
          return
        }
        pending -= 1
        proved.push(message.proved)
        onProved(message.proved)
        next()
      })
      child.once('error', reject)
      child.once('exit', (code) =>
        pending === 0 && code === 0
          ? resolve()
          : reject(new Error(`a process of the proof ended with ${code}`)),
      )
    })
  await Promise.all(Array.from({ length: count }, work))
  return proved
}
