import { Worker } from 'node:worker_threads'
import { whatIsJudged } from './judging.ts'
import { watchdogBeatMs } from './times.ts'

export interface WatchdogOptions {
  /** Gets a line for a loop that is blocked; stderr where absent. */
  readonly file?: string
  /** A loop is blocked that does not turn for so long while the process computes for at least half of it. */
  readonly blockedMs?: number
  /** A process is ended whose loop is blocked for so long; never where absent. */
  readonly endsAfterMs?: number
}

/** A process whose loop does not turn for so long is named, and then ended. */
export const blockLimits = { blockedMs: 10_000, endsAfterMs: 30_000 }

/** Process groups that end with this process, also where it can no longer end them itself. */
const mostGroups = 64
const groups = new Int32Array(new SharedArrayBuffer(4 * mostGroups))

/** Has a watchdog that ends this process end a process group before. */
export function endTogether(group: number): Disposable {
  const place = groups.indexOf(0)
  if (place !== -1) groups[place] = group
  return {
    [Symbol.dispose]() {
      if (place !== -1) groups[place] = 0
    },
  }
}

const noteBytes = 512
let current: { readonly state: Int32Array; readonly note: Uint8Array } | null = null

/** Notes what of a peer is about to be read: where the loop is blocked next, a watchdog names it. */
export function noteReading(what: string): void {
  if (current === null) return
  const { name = 'the suite' } = whatIsJudged()
  const text = `${name}, reading ${what}`
  const { written } = new TextEncoder().encodeInto(text, current.note)
  Atomics.store(current.state, 1, written)
}

/** The thread. It counts its own ticks: a busy machine delays both, and only a loop that computes counts as blocked. */
const thread = `
const { workerData } = require('node:worker_threads')
const { appendFileSync, writeSync } = require('node:fs')
const { state, note, groups, file, blockedMs, endsAfterMs, watchdogBeatMs } = workerData
const nothing = 'the suite, reading nothing of a peer'
const noted = () => Buffer.from(note.slice(0, Atomics.load(state, 1))).toString('utf8') || nothing
const end = (group) => {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {}
}
let [beat, stalledMs, isTold, before] = [-1, 0, false, process.cpuUsage()]
setInterval(() => {
  const now = Atomics.load(state, 0)
  if (now !== beat) {
    ;[beat, stalledMs, isTold, before] = [now, 0, false, process.cpuUsage()]
    return
  }
  stalledMs += watchdogBeatMs
  const { user, system } = process.cpuUsage(before)
  const computedMs = (user + system) / 1000
  const isBlockedFor = (ms) => stalledMs >= ms && computedMs >= ms / 2
  if (!isTold && isBlockedFor(blockedMs)) {
    isTold = true
    const [what, seconds] = [noted(), Math.round(stalledMs / 1000)]
    if (file === undefined) writeSync(2, 'twotoken: blocked for ' + seconds + ' s by ' + what + '\\n')
    else appendFileSync(file, JSON.stringify({ what, seconds }) + '\\n')
  }
  if (endsAfterMs !== undefined && isBlockedFor(endsAfterMs)) {
    for (const group of groups) if (group !== 0) end(group)
    const seconds = Math.round(stalledMs / 1000)
    if (file === undefined)
      writeSync(2, 'twotoken: ended, since nothing but ' + noted() + ' went on for ' + seconds + ' s: please report this bug in twotoken\\n')
    process.kill(process.pid, 'SIGKILL')
  }
}, watchdogBeatMs)
`

/** Watches the event loop of this process from a thread beside it. One watchdog a process. */
export function startWatchdog({ file, blockedMs = 10_000, endsAfterMs }: WatchdogOptions = {}) {
  const state = new Int32Array(new SharedArrayBuffer(8))
  const note = new Uint8Array(new SharedArrayBuffer(noteBytes))
  current = { state, note }
  const worker = new Worker(thread, {
    eval: true,
    workerData: { state, note, groups, file, blockedMs, endsAfterMs, watchdogBeatMs },
    // A thread gets no option of the process: test runners give some that a thread refuses.
    execArgv: [],
  })
  worker.unref()
  // A machine without a thread to spare judges without a watchdog.
  worker.on('error', () => undefined)
  const beating = setInterval(() => void Atomics.add(state, 0, 1), watchdogBeatMs)
  beating.unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(beating)
      current = null
      await worker.terminate()
    },
  }
}
