import type { Outcome } from '../base/verdict.ts'
import { escaped } from './escape.ts'
import type { RunResults } from './results.ts'

const label = 'two-token flow'
const colors: Readonly<Record<Outcome, string>> = {
  conformant: '#1a7046',
  nonconformant: '#b42318',
  incomplete: '#2f5d8a',
  error: '#9c2a86',
}
/** About what a character at 11 pixels is wide, and the room beside the words. */
const characterWidth = 6.4
const padding = 16

/** What the badge says: the outcome, with what speaks against it. */
function messageOf({ outcome, summary, interrupted }: RunResults): string {
  const counts: Readonly<Record<Outcome, string>> = {
    conformant: `, ${summary.pass + summary.warn + summary.info} held`,
    nonconformant: `, ${summary.fail} failed`,
    incomplete: `, ${summary.untested} untested`,
    error: `, ${summary.error} lost`,
  }
  return `${outcome}${interrupted ? ' (interrupted)' : counts[outcome]}`
}

/** A picture for a README. */
export function renderBadge(run: RunResults): string {
  const message = messageOf(run)
  const [left, right] = [label, message].map((text) =>
    Math.round(text.length * characterWidth + padding),
  ) as [number, number]
  const text = (content: string, middle: number) =>
    `<text x="${middle}" y="14" text-anchor="middle">${escaped(content)}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${escaped(`${label}: ${message}`)}">
<title>${escaped(`${label}: ${message}`)}</title>
<clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3b4148"/><rect x="${left}" width="${right}" height="20" fill="${colors[run.outcome]}"/></g>
<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11">${text(label, left / 2)}${text(message, left + right / 2)}</g>
</svg>
`
}

/** The same for an endpoint of shields.io. */
export function renderBadgeJson(run: RunResults): string {
  const endpoint = { schemaVersion: 1, label, message: messageOf(run), color: colors[run.outcome] }
  const isError = run.outcome === 'error' || run.outcome === 'nonconformant'
  return `${JSON.stringify({ ...endpoint, ...(isError ? { isError } : {}) }, null, 2)}\n`
}
