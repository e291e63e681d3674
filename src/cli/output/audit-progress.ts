import type { Work } from '../../../audit/src/api.ts'
import { onOneLine } from '../../base/printable.ts'
import type { Terminal } from '../../run/options.ts'
import { createLiveLines, widthOf } from './live-lines.ts'

export interface AuditProgress {
  /** Reports the next location to read, and the progress of the audit by then. */
  read(location: string, work: Work): void
  end(): void
}

const quietMs = 2000
const redrawMs = 250

/**
 * One live line on a terminal, once an audit takes longer than two seconds.
 * @param now - milliseconds of a monotonic clock
 */
export function showAuditProgress(terminal: Terminal, now: () => number): AuditProgress {
  const begun = now()
  const lines = createLiveLines(terminal)
  const rate = createRate(begun)
  let drawnAt: number | null = null
  return {
    read(location, work) {
      const at = now()
      if (at - begun < quietMs || (drawnAt !== null && at - drawnAt < redrawMs)) return
      drawnAt = at
      lines.draw([lineOf(work, rate(work.bytes, at), location, terminal.columns)])
    },
    end() {
      if (drawnAt !== null) lines.erase()
    },
  }
}

/** Over so much of the past the rate is smoothed. */
const smoothedMs = 5000

/** Bytes a second: at first the mean since the beginning, then a mean in which what is long ago counts less and less. */
function createRate(begun: number): (bytes: number, at: number) => number {
  let last: { readonly bytes: number; readonly at: number } | null = null
  let rate = 0
  return (bytes, at) => {
    const { bytes: before, at: since } = last ?? { bytes: 0, at: begun }
    const now = ((bytes - before) / Math.max(1, at - since)) * 1000
    const weight = last === null ? 1 : 1 - Math.exp(-(at - since) / smoothedMs)
    rate += weight * (now - rate)
    last = { bytes, at }
    return rate
  }
}

const leastOfLocation = 12

/** `auditing 13 of 36 MB · 2 s left · 512 of 1549 files · 120 MB/s · …classes2.dex`: what has no room is left out. */
function lineOf(work: Work, rate: number, location: string, columns: number): string {
  const { files, knownFiles, bytes, knownBytes } = work
  const parts = [
    `auditing ${megabytes(bytes)} of ${megabytes(knownBytes)} MB`,
    timeLeft((knownBytes - bytes) / rate),
    `${files} of ${knownFiles} ${knownFiles === 1 ? 'file' : 'files'}`,
    `${megabytes(rate)} MB/s`,
  ]
  let line = ''
  for (const part of parts) {
    const longer = line === '' ? part : `${line} · ${part}`
    if (widthOf(longer) >= columns) return line
    line = longer
  }
  const room = columns - widthOf(line) - ' · '.length - 1
  return room < leastOfLocation ? line : `${line} · ${endOf(onOneLine(location), room)}`
}

function megabytes(bytes: number): string {
  const amount = bytes / 1_000_000
  return amount < 10 ? amount.toFixed(1) : String(Math.round(amount))
}

/** Coarser the longer it is, so that it does not change with every file. */
function timeLeft(seconds: number): string {
  if (!Number.isFinite(seconds)) return 'time left unknown'
  if (seconds < 20) return `${Math.max(1, Math.ceil(seconds))} s left`
  if (seconds < 90) return `${Math.ceil(seconds / 5) * 5} s left`
  return `${Math.ceil(seconds / 60)} min left`
}

/** The end of a location says most. */
function endOf(location: string, columns: number): string {
  if (widthOf(location) <= columns) return location
  const kept: string[] = []
  let width = 1
  for (const character of [...location].reverse()) {
    width += widthOf(character)
    if (width > columns) break
    kept.unshift(character)
  }
  return `…${kept.join('')}`
}
