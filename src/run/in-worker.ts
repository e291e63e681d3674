import { TwotokenError } from '../base/errors.ts'
import type { ExplorationMessage } from './explore-apart.ts'
import type { WorkerMessage } from './worker-protocol.ts'

/** Ends this process with the command. A terminal interrupts the whole process group; the command decides what that means. */
export function followCommand(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)
  process.on('disconnect', () => process.exit())
}

/** Resolves once the command has the message, or has gone. */
export function tell(message: WorkerMessage | ExplorationMessage): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve()
    else process.send?.(message, undefined, undefined, () => resolve())
  })
}

export function tellFailure(error: unknown): Promise<void> {
  const code = error instanceof TwotokenError ? error.code : 'internal'
  return tell({ type: 'failed', code, message: error instanceof Error ? error.message : String(error) })
}
