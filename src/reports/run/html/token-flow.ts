import type { ShownKind } from '../../../base/evidence/secret-label.ts'
import { onOneLine } from '../../../base/printable.ts'
import { escapeMarkup } from '../../escape.ts'
import { credentialNames, type Lane } from '../../misplaced-credentials.ts'
import type { RunResults } from '../../results.ts'
import { type Arrow, buildTokenFlow, type TokenFlow, type TokenLeak } from '../../token-flow.ts'
import { linkToRequirement, renderSection } from './markup.ts'

export function renderTokenFlow(run: RunResults): string {
  const flow = buildTokenFlow(run)
  if (flow.arrows.length === 0 && flow.leaks.length === 0) return ''
  const hidden = flow.mintHidden
    ? '<p class="meta">Requests from the backend to the mint are not recorded: the backend does not use the suite’s mint double (backend.fakeMint).</p>'
    : ''
  const words = `<details><summary>As text</summary><ol class="steps">${flow.arrows.map(renderStep).join('')}</ol></details>`
  return renderSection(
    'flow',
    'Observed token flow',
    `<div class="card flow"><div class="wide">${drawTokenFlow(flow, 880, 64)}</div><div class="narrow">${drawTokenFlow(flow, 343, 0)}</div>${renderLegend(flow)}${hidden}${renderLeaks(flow)}${flow.arrows.length === 0 ? '' : words}</div>`,
  )
}

function renderLegend({ arrows, leaks }: TokenFlow): string {
  const seen = [
    ...arrows.flatMap(({ carries }) => carries.map(({ kind }) => kind)),
    ...leaks.map(({ kind }) => kind),
  ]
  const kinds = [...new Set([...(['session', 'calling-jwt', 'api-key'] as const), ...seen])]
  const items = kinds.map(
    (kind) =>
      `<li><svg viewBox="-14 -14 28 28" width="22" height="22" aria-hidden="true">${drawCredential(kind, 0, 0)}</svg> ${credentialNames[kind].name}</li>`,
  )
  return `<ul class="legend" aria-label="Credentials">${items.join('')}</ul>`
}

function renderLeaks({ leaks }: TokenFlow): string {
  if (leaks.length === 0) return ''
  const items = leaks.map(({ kind, from, to, place, exchanges, requirements }) => {
    const often = exchanges.length === 1 ? '' : ` (${exchanges.length} times)`
    const what = onOneLine(`✕ ${credentialNames[kind].name}, from ${from} to ${to}, in ${place}${often}:`)
    return `<li>${escapeMarkup(what)} ${requirements.map(linkToRequirement).join(' ')}</li>`
  })
  return `<ul class="leaks">${items.join('')}</ul>`
}

function renderStep({ from, to, at, text, carries, violated, exchange }: Arrow): string {
  const carried = carries.map(
    ({ kind, fingerprint }) =>
      `<span class="secret ${kind}">${credentialNames[kind].name}${fingerprint === null ? '' : ` #${fingerprint}`}</span>`,
  )
  const what = carried.length === 0 ? '' : `, carrying ${carried.join(' and ')}`
  return `<li>${from} → ${to}: ${escapeMarkup(onOneLine(text))}${what}${violated.length === 0 ? '' : ` ✕ ${violated.map(linkToRequirement).join(' ')}`} <span class="time">${formatOffset(at)}, ${escapeMarkup(exchange)}</span></li>`
}

const partners: readonly Lane[] = ['app', 'backend', 'mint', 'signaling']
const headHeight = 56
const rowHeight = 46
/** Further leaks are only listed below the drawing. */
const drawnLeaks = 6
/** The usual width of a character of the captions. */
const characterWidth = 6.1

/**
 * Lanes, one arrow per message with the credentials that it carried, then the leaks in red.
 * @param width in pixels, unless the page is narrower
 * @param gutter the width of the times beside the lanes; 0 leaves them out
 */
function drawTokenFlow(flow: TokenFlow, width: number, gutter: number): string {
  const leaks = flow.leaks.slice(0, drawnLeaks)
  const rows = flow.arrows.length + leaks.length
  const leakHead = leaks.length === 0 ? 0 : 30
  const height = headHeight + rows * rowHeight + leakHead + 10
  const lanes = leaks.some(({ to }) => to === 'elsewhere') ? [...partners, 'elsewhere' as const] : partners
  const column = (width - gutter) / lanes.length
  const xOf = (lane: Lane) => gutter + column * (lanes.indexOf(lane) + 0.5)
  const rowAt = (index: number) => headHeight + index * rowHeight
  const leaksAt = rowAt(flow.arrows.length)
  return [
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeMarkup(summaryOf(flow))}">`,
    ...lanes.map((lane) =>
      drawLane(lane, xOf(lane), height, Math.min(column - 10, 150), flow.playedBy[lane]),
    ),
    ...flow.arrows.map((arrow, index) => drawArrow(arrow, rowAt(index), xOf, width, gutter)),
    leaks.length === 0
      ? ''
      : `<g class="leak"><line class="rule" x1="0" y1="${leaksAt + 8}" x2="${width}" y2="${leaksAt + 8}"/>${drawCaption('✕ secrets in a wrong place', 0, leaksAt + 27, 'start')}</g>`,
    ...leaks.map((leak, index) => drawLeak(leak, leaksAt + leakHead + index * rowHeight, xOf, width)),
    '</svg>',
  ].join('')
}

function summaryOf({ arrows, leaks }: TokenFlow): string {
  const way = arrows.map(({ from, to }) => `${from} to ${to}`).join(', ')
  return `The token flow: ${way || 'no message'}; ${leaks.length === 0 ? 'no leak' : `${leaks.length} leaks`}. A text version follows.`
}

function drawLane(lane: string, x: number, height: number, width: number, playedBy?: string): string {
  const below =
    playedBy === undefined
      ? ''
      : `<text class="stand-in" x="${x}" y="46" text-anchor="middle">${playedBy}</text>`
  return `<g class="lane"><line x1="${x}" y1="34" x2="${x}" y2="${height}"/><rect x="${x - width / 2}" y="4" width="${width}" height="28" rx="7"/><text x="${x}" y="23" text-anchor="middle">${lane}</text>${below}</g>`
}

function drawArrow(
  arrow: Arrow,
  y: number,
  xOf: (lane: Lane) => number,
  width: number,
  gutter: number,
): string {
  const { from, to, at, text, carries, leaked, violated, refused } = arrow
  const kinds = [...new Set(carries.map(({ kind }) => kind))]
  const [first] = kinds
  const names = kinds.map((kind) => `${leaked.includes(kind) ? '✕ ' : ''}${credentialNames[kind].name}`)
  const said = onOneLine([shorten(text, 40), ...names, ...nameViolated(violated)].join(' · '))
  const time =
    gutter === 0
      ? ''
      : `<text class="at" x="${gutter - 8}" y="${y + 38}" text-anchor="end">${formatOffset(at)}</text>`
  const [x1, x2] = [xOf(from), xOf(to)]
  return `<g class="arrow${first === undefined ? '' : ` ${first}`}${refused ? ' refused' : ''}${violated.length > 0 ? ' violated' : ''}">${time}${drawFittedCaption(said, (x1 + x2) / 2, y + 20, gutter, width)}${drawShaft(x1, x2, y + 34)}${drawCredentials(kinds, (x1 + x2) / 2, y + 34, leaked)}</g>`
}

/** So many ids stand in a caption; the text below has all of them. */
const namedViolations = 3

function nameViolated(ids: readonly string[]): string[] {
  if (ids.length === 0) return []
  const more = ids.length > namedViolations ? ` +${ids.length - namedViolations}` : ''
  return [`✕ ${ids.slice(0, namedViolations).join(' ')}${more}`]
}

function drawLeak(leak: TokenLeak, y: number, xOf: (lane: Lane) => number, width: number): string {
  const { kind, from, to, place, requirements } = leak
  const [x1, x2] = [xOf(from), xOf(to)]
  const said = onOneLine(
    `✕ ${credentialNames[kind].name} in ${shorten(place, 34)} · ${requirements[0] ?? ''}`,
  )
  return `<g class="leak">${drawFittedCaption(said, (x1 + x2) / 2, y + 20, 0, width)}${drawShaft(x1, x2, y + 34)}${drawCredentials([kind], (x1 + x2) / 2, y + 34)}</g>`
}

function drawShaft(x1: number, x2: number, y: number): string {
  const step = x2 > x1 ? 1 : -1
  const [start, end] = [x1 + 3 * step, x2 - 3 * step]
  return `<line class="shaft" x1="${start}" y1="${y}" x2="${end - 8 * step}" y2="${y}"/><polygon points="${end},${y} ${end - 9 * step},${y - 4.5} ${end - 9 * step},${y + 4.5}"/>`
}

function drawCredentials(
  kinds: readonly ShownKind[],
  middle: number,
  y: number,
  leaked: readonly ShownKind[] = [],
): string {
  const drawn = kinds.map((kind, index) => {
    const drawnBadge = drawCredential(kind, middle + (index - (kinds.length - 1) / 2) * 24, y)
    return leaked.includes(kind) ? `<g class="leak">${drawnBadge}</g>` : drawnBadge
  })
  return drawn.join('')
}

function drawCredential(kind: ShownKind, x: number, y: number): string {
  const shape =
    kind === 'api-key'
      ? `<rect x="${x - 9}" y="${y - 9}" width="18" height="18" rx="3"/>`
      : kind === 'session'
        ? `<circle cx="${x}" cy="${y}" r="10"/>`
        : `<polygon points="${x},${y - 12} ${x + 12},${y} ${x},${y + 12} ${x - 12},${y}"/>`
  return `<g class="badge ${kind}">${shape}<text x="${x}" y="${y + 4}" text-anchor="middle">${credentialNames[kind].letter}</text></g>`
}

/** Centred, unless the text would then leave the drawing. */
function drawFittedCaption(text: string, middle: number, y: number, left: number, right: number): string {
  const half = (text.length * characterWidth) / 2
  if (middle - half < left) return drawCaption(text, left + 2, y, 'start')
  if (middle + half > right) return drawCaption(text, right - 2, y, 'end')
  return drawCaption(text, middle, y, 'middle')
}

function drawCaption(text: string, x: number, y: number, anchor: 'start' | 'middle' | 'end'): string {
  return `<text class="caption" x="${x}" y="${y}" text-anchor="${anchor}">${escapeMarkup(text)}</text>`
}

function shorten(text: string, characters: number): string {
  const line = onOneLine(text)
  return line.length > characters ? `${line.slice(0, characters - 1)}…` : line
}

function formatOffset(at: number): string {
  return at < 1000 ? `+${Math.round(at)} ms` : `+${(at / 1000).toFixed(1)} s`
}
