import { relative, sep } from 'node:path'
import { createInterface, emitKeypressEvents, type Key } from 'node:readline'
import { watch } from 'chokidar'

/** A file that changed, by its path, or a key or a line that the user typed. */
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
  /** Shows what is typed behind a slash: a terminal that gives single keys shows none. */
  readonly echo: (text: string) => void
  readonly signal: AbortSignal
}

/** An editor writes several files at once, and a server that restarts on a change takes a moment to begin. */
const settleMs = 300

/** Watches the files of a folder, without those of packages and hidden ones, and the keys of a terminal or the lines of another input. */
export async function openTriggers({
  folder,
  ignored,
  stdin,
  echo,
  signal,
}: TriggerOptions): Promise<Triggers> {
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
  const type = (typed: string) => trigger({ typed })
  const stopReading = isTerminal(stdin) ? readKeys(stdin, echo, type) : readLines(stdin, type)
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
      stopReading()
      await files.close()
    },
  }
}

function isTerminal(stdin: NodeJS.ReadableStream | undefined): stdin is NodeJS.ReadStream {
  return stdin !== undefined && 'isTTY' in stdin && stdin.isTTY === true
}

function readLines(stdin: NodeJS.ReadableStream | undefined, type: (line: string) => void): () => void {
  if (stdin === undefined) return () => {}
  const lines = createInterface({ input: stdin })
  lines.on('line', (line) => type(line.trim()))
  return () => lines.close()
}

/** Reads single keys; a slash begins a word, which Enter ends and Escape drops. */
function readKeys(
  stdin: NodeJS.ReadStream,
  echo: (text: string) => void,
  type: (line: string) => void,
): () => void {
  let word: string | null = null
  const press = (text: string | undefined, { name, ctrl = false }: Key) => {
    // A terminal that gives single keys sends no signal for this one.
    if (ctrl && name === 'c') return void process.kill(process.pid, 'SIGINT')
    const isEnd = name === 'return' || name === 'enter'
    if (word === null) {
      if (text === '/') {
        word = text
        echo(text)
      } else if (isEnd) type('')
      else if (text === 'a' || text === 'f' || text === 'q') type(text)
      return
    }
    if (isEnd) {
      const typed = word.trim()
      word = null
      return type(typed)
    }
    if (name === 'escape') word = null
    else if (name === 'backspace') word = word.slice(0, -1)
    else if (!ctrl && text !== undefined && text >= ' ') word += text
    echo(`\r\u001b[K${word ?? ''}`)
    if (word === '') word = null
  }
  emitKeypressEvents(stdin)
  stdin.setRawMode(true)
  stdin.on('keypress', press)
  stdin.resume()
  return () => {
    stdin.off('keypress', press)
    stdin.setRawMode(false)
    stdin.pause()
  }
}
