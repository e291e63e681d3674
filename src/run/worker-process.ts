import { fork } from 'node:child_process'
import { extname, join } from 'node:path'
import { hasGroups, signalGroup } from '../base/signal-group.ts'

export interface WorkerProcess<Order> {
  order(order: Order): void
  /** Ends it, and all that it has started. */
  kill(): void
  /** Resolves at its end with the last line that it printed, or why it could not be started. */
  readonly ended: Promise<string>
}

const longestTail = 2000

/** A process group of its own: no browser stays behind, and an interruption reaches it once. */
export function startWorker<Order extends object, Message>(
  name: 'judge' | 'exploration',
  onMessage: (message: Message) => void,
  env?: NodeJS.ProcessEnv,
): WorkerProcess<Order> {
  const file = join(import.meta.dirname, `${name}.worker${extname(import.meta.filename)}`)
  const child = fork(file, [], {
    env,
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: hasGroups,
  })
  const kill = () => void signalGroup(child.pid, 'SIGKILL')
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString('utf8')).slice(-longestTail)
    })
  child.on('message', (message: Message) => onMessage(message))
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(printed.trim().split('\n').at(-1) ?? ''))
  })
  void ended.then(kill)
  return { order: (order) => void (child.connected && child.send(order)), kill, ended }
}
