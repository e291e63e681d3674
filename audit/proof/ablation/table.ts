import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Measured } from './measure.ts'
import type { Piece } from './pieces.ts'

export interface Row {
  readonly piece: Piece
  /** Number of findings that only this piece gives, by the source of the corpus. */
  readonly lost: ReadonlyMap<string, number>
  /** CPU time on real packages: positive where the audit takes less time with the piece. */
  readonly savedMs: number | null
}

export function rowOf(piece: Piece, whole: Measured, without: Measured, savedMs: number | null): Row {
  const left = new Set(without.found)
  const lost = new Map<string, number>()
  for (const one of new Set(whole.found)) {
    if (left.has(one)) continue
    const source = one.split('/', 1)[0] ?? ''
    lost.set(source, (lost.get(source) ?? 0) + 1)
  }
  return { piece, lost, savedMs }
}

const sources = ['built', 'samples', 'bundles', 'calls', 'packed', 'apps']

/** The table in Markdown, by kind, then by what is lost. */
export function renderAblation(rows: readonly Row[], whole: Measured, packagesMs: number): string {
  const total = new Set(whole.found).size
  const head = `| piece | kind | lines | ${sources.join(' | ')} | found by it alone | processor time |\n| --- | --- | ---: | ${sources.map(() => '---:').join(' | ')} | ---: | ---: |`
  const lines = rows.map((row) => {
    const sum = [...row.lost.values()].reduce((all, one) => all + one, 0)
    const cells = sources.map((source) => row.lost.get(source) ?? 0)
    return `| ${row.piece.name} | ${row.piece.kind} | ${linesOf(row.piece) || ''} | ${cells.join(' | ')} | ${sum} | ${shareOf(row.savedMs, packagesMs)} |`
  })
  return `${total} findings in the corpus; ${Math.round(packagesMs)} ms of a processor for the real packages.\n\n${head}\n${lines.join('\n')}\n`
}

/** `saves 210 ms (12 %)`, or `costs …`. */
function shareOf(savedMs: number | null, packagesMs: number): string {
  if (savedMs === null) return ''
  const percent = Math.round((100 * Math.abs(savedMs)) / packagesMs)
  if (percent < 3) return 'none'
  return `${savedMs > 0 ? 'saves' : 'costs'} ${Math.abs(Math.round(savedMs))} ms (${percent} %)`
}

function linesOf({ files }: Piece): number {
  const lines = (file: string) =>
    readFileSync(join(import.meta.dirname, '../../src', file), 'utf8').split('\n').length - 1
  return files.reduce((sum, file) => sum + lines(file), 0)
}
