import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import type { Cell } from './prove.ts'

/** Which cases are proved; plain data, since it goes to other processes. */
export interface CaseChoice {
  /** Roles, and beginnings of requirement ids; all where there are none. */
  readonly ids: readonly string[]
  /** Only conforming variants whose name begins so. */
  readonly conforming?: string | undefined
  /** Each conforming variant meets some of the requirements only, others in the next slice. */
  readonly slice?: number | undefined
  /** Only what `npm test` does not prove. */
  readonly isRest: boolean
  /** Broken variants are judged by all requirements of their role at once, as in a run. */
  readonly isWhole?: boolean
}

/** The cells of one case. */
export interface ProvedCase {
  readonly name: string
  readonly cells: readonly Cell[]
  readonly seconds: number
}

/** The names of cases: of clients, and of the rest. */
interface Names {
  readonly clients: readonly string[]
  readonly others: readonly string[]
}

export type ToProcess = { readonly prove: string } | { readonly end: true }
/** A process begins with the names of all cases. */
export type FromProcess = Names | { readonly proved: ProvedCase }

/** Most of a case is waiting: so many of all processes together keep two processors at work. */
const casesAtOnce = 16
/** More open pages slow each other down. */
const clientsAtOnce = 2

const program = join(import.meta.dirname, `prove-in-process${extname(import.meta.filename)}`)

/**
 * Proves every case in `count` processes, each case in the first process with room for it. A busy machine may keep a requirement from
 * judging: such a case is proved once more, when all others are done, alone and in a process that has not met its variant. A `pass`
 * stands.
 * @throws Error where a process ends early
 */
export async function proveInProcesses(
  choice: CaseChoice,
  count: number,
  onProved: (proved: ProvedCase) => void,
): Promise<ProvedCase[]> {
  const undecided: string[] = []
  const atOnce = Math.max(1, Math.floor(casesAtOnce / count))
  const proved = await prove(choice, { count, atOnce }, null, (one) => {
    if (one.cells.some(isUndecided)) undecided.push(one.name)
    else onProved(one)
  })
  if (undecided.length === 0) return proved
  const alone = { count: 1, atOnce: 1 }
  const again = await prove(choice, alone, { clients: [], others: undecided }, onProved)
  return [...proved.filter(({ name }) => !undecided.includes(name)), ...again]
}

/** Says whether a requirement did not judge, and should have. */
export function isUndecided({ holds, result }: Cell): boolean {
  return !holds && (result.verdict === 'error' || result.verdict === 'untested')
}

/** @param names all cases where it is null */
async function prove(
  choice: CaseChoice,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
  names: Names | null,
  onProved: (proved: ProvedCase) => void,
): Promise<ProvedCase[]> {
  const copyOf = ({ clients, others }: Names) => ({ clients: [...clients], others: [...others] })
  let waiting = names && copyOf(names)
  const proved: ProvedCase[] = []
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const child = fork(program, [JSON.stringify(choice)], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      })
      const clients = new Set<string>()
      const others = new Set<string>()
      const pending = () => clients.size + others.size
      let isOver = false
      const tell = (message: ToProcess) => child.send(message)
      const begin = (running: Set<string>, name: string) => {
        running.add(name)
        tell({ prove: name })
      }
      const fill = () => {
        while (waiting !== null && pending() < atOnce) {
          const client = clients.size < clientsAtOnce ? waiting.clients.shift() : undefined
          const name = client ?? waiting.others.shift()
          if (name === undefined) break
          begin(client === undefined ? others : clients, name)
        }
        if (pending() > 0 || isOver) return
        isOver = true
        tell({ end: true })
      }
      child.on('message', (message: FromProcess) => {
        if ('clients' in message) waiting ??= copyOf(message)
        else {
          clients.delete(message.proved.name)
          others.delete(message.proved.name)
          proved.push(message.proved)
          onProved(message.proved)
        }
        fill()
      })
      child.once('error', reject)
      child.once('exit', (code) =>
        pending() === 0 && code === 0
          ? resolve()
          : reject(new Error(`a process of the proof ended with ${code}`)),
      )
    })
  await Promise.all(Array.from({ length: count }, work))
  return proved
}
