import { createMemberInflater, type MemberInflater } from './gzip-members.ts'
import type { Source } from './source.ts'
import { batchesOf, isAlone } from './zip-batches.ts'
import type { ZipEntry } from './zip-entry.ts'
import { type Inflated, inflateAside } from './zip-inflate.ts'

/** An entry, and what it holds; `null` where that is still to be found out. */
export type Done = readonly [entry: ZipEntry, read: Inflated | null]

export interface Pool extends Disposable {
  /**
   * Entries that are inflated, or that the caller inflates while others are on their way; `null` at the end. What they
   * hold stays until the next call.
   */
  next(): Promise<Batch | null>
}

export interface Batch {
  readonly done: readonly Done[]
  /** What they hold, in their order and with zeros behind each, where they were inflated together. */
  readonly together?: Buffer
}

/** What is inflated before anyone reads it, of all archives that are open. */
export interface Ahead {
  /** Large entries, which have memory of their own. */
  bytes: number
  readonly idle: MemberInflater[]
  inflaters: number
}

const mostAhead = 32 * 1024 * 1024
const mostInflaters = 3

export function createAhead(): Ahead {
  return { bytes: 0, idle: [], inflaters: 0 }
}

interface Ready extends Batch {
  release(): void
}

/** Inflates the entries of an archive on other threads while the rest of them is read. */
export function createPool(source: Source, entries: readonly ZipEntry[], room: number, ahead: Ahead): Pool {
  const { aside, here } = batchesOf(entries, room)
  const ready: Ready[] = []
  let begun = 0
  let read = 0
  let running = 0
  let current: Ready | undefined
  let isClosed = false
  let wake = () => {}
  const start = () => {
    for (let batch = aside[begun]; batch !== undefined; batch = aside[begun]) {
      const started = isAlone(batch) ? startAlone(source, batch, ahead) : startTogether(source, batch, ahead)
      if (started === null) return
      begun += 1
      running += 1
      void started.then((one) => {
        running -= 1
        if (isClosed) one.release()
        else ready.push(one)
        wake()
      })
    }
  }
  start()
  return {
    async next() {
      current?.release()
      current = undefined
      start()
      // So that what is ready is heard of.
      if (running > 0) await new Promise((resolve) => setImmediate(resolve))
      if (ready.length === 0) {
        // Where others are busy or have taken all of the memory, an entry is inflated by whoever reads it.
        const own = here[read++] ?? aside[begun++]
        if (own !== undefined) return { done: own.map((entry) => [entry, null]) }
        if (running > 0)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
      current = ready.shift()
      return current ?? null
    },
    [Symbol.dispose]() {
      isClosed = true
      for (const one of [current, ...ready]) one?.release()
    },
  }
}

function startAlone(source: Source, batch: readonly ZipEntry[], ahead: Ahead): Promise<Ready> | null {
  const [entry] = batch
  const size = entry?.size ?? 0
  if (entry === undefined || ahead.bytes + size > mostAhead) return null
  ahead.bytes += size
  const release = () => {
    ahead.bytes -= size
  }
  return inflateAside(source.read(entry.dataStart, entry.dataEnd), entry, size).then((read) => ({
    done: [[entry, read]],
    release,
  }))
}

function startTogether(source: Source, batch: readonly ZipEntry[], ahead: Ahead): Promise<Ready> | null {
  const inflater = ahead.idle.pop() ?? another(ahead)
  if (inflater === null) return null
  const release = () => void ahead.idle.push(inflater)
  return inflater.inflate(source, batch).then((inflated) => ({
    done: batch.map((entry, index) => {
      const bytes = inflated?.parts[index]
      return [entry, bytes === undefined ? null : { bytes }]
    }),
    ...(inflated === null ? {} : { together: inflated.whole }),
    release,
  }))
}

function another(ahead: Ahead): MemberInflater | null {
  if (ahead.inflaters >= mostInflaters) return null
  ahead.inflaters += 1
  return createMemberInflater()
}
