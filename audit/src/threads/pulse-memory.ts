import type { Pulse } from '../model/pulse.ts'
import type { Spent } from '../model/settings.ts'

/** In place of the place of a file in the list. */
export const noFile = -1
const [beats, file, length, writing] = [0, 1, 2, 3]
const [entries, bytes, inflated] = [0, 1, 2]
const numbers = 16
const text = 64
/** Names are cut to 1024 characters, of three bytes at most, and containers may be 12 deep. */
const size = 64 * 1024

/** Memory in which a thread says what it reads, and another one sees that also while the first can do nothing else. */
export type PulseMemory = SharedArrayBuffer

export function createPulseMemory(): PulseMemory {
  const memory = new SharedArrayBuffer(size)
  new Int32Array(memory)[file] = noFile
  return memory
}

/** The pulse of the thread that reads. */
export interface OwnPulse extends Pulse {
  /** The next file of the list is read. */
  begin(index: number): void
}

export function writePulse(memory: PulseMemory, spent: Spent): OwnPulse {
  const words = new Int32Array(memory)
  const counts = new Float64Array(memory, numbers, 3)
  const place = Buffer.from(memory, text)
  const around: string[] = []
  const next = () => {
    counts[inflated] = spent.inflated
    words[beats] = ((words[beats] ?? 0) + 1) | 0
  }
  const show = (location: string) => {
    words[writing] = 1
    words[length] = place.write(location)
    words[writing] = 0
    next()
  }
  return {
    begin(index) {
      words[file] = index
      counts[entries] = spent.entries
      counts[bytes] = spent.bytes
      around.length = 0
      words[length] = 0
      next()
    },
    enter(location) {
      around.push(location)
      show(location)
    },
    leave() {
      around.pop()
      show(around.at(-1) ?? '')
    },
    beat: next,
  }
}

/** The activity of a thread when it was last seen. */
export interface SeenPulse {
  /** Differs from one look to the next one where the thread has gone on. */
  readonly beats: number
  /** `null` where no file was begun. */
  readonly file: number | null
  /** Bytes that were unpacked of this path so far. */
  readonly inflated: number
}

export interface PulseReader {
  look(): SeenPulse
  /** The file, or the entry in it, that is read; empty before it is opened. */
  location(): string
  /** Returns the work on the path before this file was begun. */
  before(): { readonly entries: number; readonly bytes: number }
}

export function readPulse(memory: PulseMemory): PulseReader {
  const words = new Int32Array(memory)
  const counts = new Float64Array(memory, numbers, 3)
  return {
    look() {
      const index = words[file] ?? noFile
      return {
        beats: words[beats] ?? 0,
        file: index === noFile ? null : index,
        inflated: counts[inflated] ?? 0,
      }
    },
    // A thread that is ended while it writes leaves no name that could be relied on.
    location: () => (words[writing] === 1 ? '' : Buffer.from(memory, text, words[length] ?? 0).toString()),
    before: () => ({ entries: counts[entries] ?? 0, bytes: counts[bytes] ?? 0 }),
  }
}
