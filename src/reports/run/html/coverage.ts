import * as z from 'zod'
import { escapeMarkup } from '../../escape.ts'
import type { RunResults } from '../../results.ts'
import { renderSection } from './markup.ts'

/** The name of the observation behind the part that was explored. */
export const coverageOverTime = 'coverageOverTime'

const [width, height, bottom] = [680, 150, 24]
const count = z.number().nonnegative()
const pointsSchema = z.array(z.object({ seconds: count, pairs: count, triples: count })).min(2)
type Points = z.infer<typeof pointsSchema>

/** Draws how many pairs and triples of commands an exploration had reached by which time. */
export function renderCoverage({ observations }: RunResults): string {
  const drawn = Object.entries(observations).flatMap(([name, value]) => {
    const points = name.endsWith(`.${coverageOverTime}`) ? pointsSchema.safeParse(value) : null
    return points?.success === true ? [drawPoints(points.data)] : []
  })
  return renderSection('coverage', 'Coverage over time', drawn.join(''))
}

function drawPoints(points: Points): string {
  const last = points.at(-1) ?? { seconds: 0, pairs: 0, triples: 0 }
  const said = `${last.pairs} pairs and ${last.triples} triples of commands within ${Math.round(last.seconds)} s`
  const draw = (name: 'pairs' | 'triples') => {
    const most = Math.max(1, ...points.map((point) => point[name]))
    const placed = points.map(
      (point) =>
        `${(width * (point.seconds / Math.max(1, last.seconds))).toFixed(1)},${((height - bottom) * (1 - point[name] / most) + 4).toFixed(1)}`,
    )
    return `<polyline class="${name}" points="${placed.join(' ')}"/>`
  }
  return `<div class="card plot"><svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeMarkup(said)}">${draw('pairs')}${draw('triples')}<text class="at" x="0" y="${height - 4}">0 s</text><text class="at" x="${width}" y="${height - 4}" text-anchor="end">${Math.round(last.seconds)} s</text></svg><p class="meta">${escapeMarkup(said)}. Solid: pairs, dashed: triples, each on its own scale.</p></div>`
}
