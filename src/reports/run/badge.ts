import type { Outcome } from '../../base/verdict.ts'
import { escapeMarkup } from '../escape.ts'
import type { RunResults } from '../results.ts'

const label = 'two-token flow'
const colors: Readonly<Record<Outcome, string>> = {
  conformant: '#1a7046',
  nonconformant: '#b42318',
  incomplete: '#2f5d8a',
  error: '#9c2a86',
}
/** In pixels: the usual width of a character of 11 pixels, and the space beside the words. */
const characterWidth = 6.4
const padding = 16

export interface Badge {
  readonly label: string
  readonly message: string
  readonly color: string
}

/** The outcome, with the count that explains it. */
export function describeBadge({ outcome, summary, interrupted }: RunResults): Badge {
  const counts: Readonly<Record<Outcome, string>> = {
    conformant: `, ${summary.pass + summary.warn + summary.info} passed`,
    nonconformant: `, ${summary.fail} failed`,
    incomplete: `, ${summary.untested} untested`,
    error: `, ${summary.error} errored`,
  }
  const message = `${outcome}${interrupted ? ' (interrupted)' : counts[outcome]}`
  return { label, message, color: colors[outcome] }
}

/** An SVG image for a README. */
export function renderBadge(run: RunResults): string {
  const { message, color } = describeBadge(run)
  const [left, right] = [label, message].map((text) =>
    Math.round(text.length * characterWidth + padding),
  ) as [number, number]
  const text = (content: string, middle: number) =>
    `<text x="${middle}" y="14" text-anchor="middle">${escapeMarkup(content)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escapeMarkup(`${label}: ${message}`)}">
<title>${escapeMarkup(`${label}: ${message}`)}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3b4148"/><rect x="${left}" width="${right}" height="20" fill="${color}"/></g>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">${text(label, left / 2)}${text(message, left + right / 2)}</g>
</svg>
`
}
