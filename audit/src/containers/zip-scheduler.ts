import { plausibleSize } from './budget.ts'
import type { Source } from './source.ts'
import type { ZipEntry } from './zip-headers.ts'
import {
  canInflateAside,
  createMemberInflater,
  type Inflated,
  inflateAside,
  type MemberInflater,
  memberBytes,
  mostTogether,
} from './zip-inflate.ts'

/** An entry, and what it holds; `null` where that is still to be found out. */
export type Done = readonly [entry: ZipEntry, read: Inflated | null]

export interface InflationSchedule extends Disposable {
  /**
   * Entries that are inflated, or that the caller inflates while others are on their way; `null` at the end. What they
   * hold stays until the next call.
   */
  next(): Promise<Batch | null>
}

export interface Batch {
  readonly done: readonly Done[]
  /**
   * The contents of the entries, in their order and with zeros behind each, where they were inflated
   * together.
   */
  readonly together?: Buffer
}

/** Entries that are inflated before they are read, for all archives that are open. */
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
export function scheduleInflation(
  source: Source,
  entries: readonly ZipEntry[],
  room: number,
  ahead: Ahead,
): InflationSchedule {
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
        // Where others are busy or have taken all of the memory, the caller inflates an entry itself.
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

/** The entries of an archive, in the groups in which they are read. */
export interface Batches {
  /** Batches that other threads may inflate: one large entry each, or many small ones. */
  readonly aside: readonly (readonly ZipEntry[])[]
  /** Batches for this thread: stored entries, unusual entries, and too few bytes for another thread. */
  readonly here: readonly (readonly ZipEntry[])[]
}

/** Inflating fewer bytes costs less than waiting for another thread. */
const worthAThread = 128 * 1024
/** Larger entries are inflated alone. */
const largestTogether = 512 * 1024
const largestAlone = 32 * 1024 * 1024
const mostHere = 256

/** @param room how large an entry may be that is held in memory, in bytes */
function batchesOf(entries: readonly ZipEntry[], room: number): Batches {
  const alone: ZipEntry[][] = []
  const together: ZipEntry[][] = []
  const here: ZipEntry[][] = []
  let open: ZipEntry[] = []
  let inflated = 0
  let packed = 0
  const close = () => {
    if (inflated >= worthAThread) together.push(open)
    else if (open.length > 0) here.push(open)
    open = []
    inflated = 0
    packed = 0
  }
  const takeHere = (entry: ZipEntry) => {
    const last = here.at(-1)
    if (last === undefined || last.length >= mostHere) here.push([entry])
    else last.push(entry)
  }
  for (const entry of entries) {
    const size = entry.size ?? 0
    const compressed = entry.dataEnd - entry.dataStart
    if (!canInflateAside(entry) || size > Math.min(room, largestAlone) || size > plausibleSize(compressed))
      takeHere(entry)
    else if (size > largestTogether) alone.push([entry])
    // An honest entry is not larger packed than inflated: many dishonest ones may share the same bytes.
    else if (compressed > size + memberBytes) takeHere(entry)
    else {
      const member = { inflated: size + memberBytes, packed: compressed + memberBytes }
      if (inflated + member.inflated > mostTogether || packed + member.packed > mostTogether) close()
      open.push(entry)
      inflated += member.inflated
      packed += member.packed
    }
  }
  close()
  return { aside: [...alone, ...together], here }
}

function isAlone([first]: readonly ZipEntry[]): boolean {
  return (first?.size ?? 0) > largestTogether
}
