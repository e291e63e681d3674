import type { Work } from '../../../audit/src/api.ts'
import { onOneLine } from '../../base/printable.ts'
import type { Terminal } from '../../run/options.ts'
import { createLiveLines, widthOf } from './live-lines.ts'

const quietMs = 2000
const redrawMs = 250

/** One live line on a terminal, once an audit takes longer than two seconds; `now` is a monotonic clock in milliseconds. */
export function showAuditProgress(terminal: Terminal, now: () => number) {
  const begun = now()
  const lines = createLiveLines(terminal)
  let drawnAt: number | null = null
  return {
    read(location: string, work: Work) {
      const at = now()
      if (at - begun < quietMs || (drawnAt !== null && at - drawnAt < redrawMs)) return
      drawnAt = at
      lines.draw([lineOf(work, location, terminal.columns)])
    },
    end() {
      if (drawnAt !== null) lines.erase()
    },
  }
}

const leastOfLocation = 12

/** `auditing 13 of 36 MB · 512 of 1549 files · …classes2.dex`: what has no room is left out. */
function lineOf({ files, knownFiles, bytes, knownBytes }: Work, location: string, columns: number): string {
  const parts = [
    `auditing ${megabytes(bytes)} of ${megabytes(knownBytes)} MB`,
    `${files} of ${knownFiles} ${knownFiles === 1 ? 'file' : 'files'}`,
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
