import { relative, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { watch } from 'chokidar'

/** A file that changed, by its path, or a line that the user typed. */
export type Trigger = { readonly changed: string } | { readonly typed: string }

/** Says when to judge again. */
export interface Triggers extends AsyncDisposable {
  /** Returns the event since the last call, or the next one; null when the user has ended it. */
  next(): Promise<Trigger | null>
}

export interface TriggerOptions {
  /** Whose files are watched. */
  readonly folder: string
  /** A folder that the suite itself writes. */
  readonly ignored: string
  readonly stdin: NodeJS.ReadableStream | undefined
  readonly signal: AbortSignal
}

/** An editor writes several files at once, and a server that restarts on a change takes a moment to begin. */
const settleMs = 300

/** Watches the files of a folder, without those of packages and hidden ones, and the lines that the user types. */
export async function openTriggers({ folder, ignored, stdin, signal }: TriggerOptions): Promise<Triggers> {
  let cause: Trigger | null = null
  let wake = () => {}
  let settling: NodeJS.Timeout | undefined
  const trigger = (what: Trigger) => {
    cause = what
    wake()
  }
  const isIgnored = (path: string) => {
    const parts = relative(folder, path).split(sep)
    const isHidden = parts.some((part) => part === 'node_modules' || /^\.[^.]/.test(part))
    return isHidden || path === ignored || path.startsWith(ignored + sep)
  }
  const files = watch(folder, { ignored: isIgnored, ignoreInitial: true })
  files.on('all', (_, path) => {
    clearTimeout(settling)
    settling = setTimeout(() => trigger({ changed: relative(folder, path) }), settleMs)
  })
  await new Promise<void>((resolve) => files.once('ready', resolve))
  const lines = stdin === undefined ? undefined : createInterface({ input: stdin })
  lines?.on('line', (line) => trigger({ typed: line.trim() }))
  signal.addEventListener('abort', () => wake())
  return {
    async next() {
      while (cause === null && !signal.aborted) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        await promise
      }
      const happened = signal.aborted ? null : cause
      cause = null
      return happened
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(settling)
      lines?.close()
      await files.close()
    },
  }
}
