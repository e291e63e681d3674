import type { Exchange, Party } from '../../../base/evidence/exchange.ts'
import { onOneLine } from '../../../base/printable.ts'
import type { ShownStory } from '../../../requirement/shown-story.ts'
import { escapeMarkup } from '../../escape.ts'
import { renderMoreExchanges } from './exchanges.ts'
import { plural } from './markup.ts'
import { drawCaption, drawLane, drawShaft } from './token-flow-svg.ts'

const width = 680
const headHeight = 46
const stepHeight = 30
const arrowHeight = 34
const longestCaption = 92
const laneWidth = 140

/** A story that broke an invariant: its steps in numbers, then the same as arrows between the parts. */
export function renderStory(story: ShownStory, exchanges: ReadonlyMap<string, Exchange>): string {
  const items = story.told.map(({ did, came, evidence }) => {
    const known = evidence.filter((id) => exchanges.has(id))
    const became = came.length === 0 ? '' : `<br/><span class="meta">${escapeMarkup(came.join('; '))}</span>`
    return `<li>${escapeMarkup(did)}${became}${renderMoreExchanges(known, plural(known.length, 'exchange'))}</li>`
  })
  return `<div class="story"><h4>The story</h4><p class="meta">${escapeMarkup(story.opening)}</p><ol>${items.join('')}</ol><details class="flow"><summary>Drawn as the flow</summary>${drawStory(story, exchanges)}</details></div>`
}

function drawStory({ told }: ShownStory, exchanges: ReadonlyMap<string, Exchange>): string {
  const steps = told.map(({ did, evidence }) => ({
    did,
    arrows: evidence.flatMap((id) => exchanges.get(id) ?? []).toSorted((one, two) => one.at - two.at),
  }))
  const parties = [...new Set(steps.flatMap(({ arrows }) => arrows.flatMap(({ from, to }) => [from, to])))]
  const column = width / Math.max(1, parties.length)
  const xOf = (party: Party) => column * (parties.indexOf(party) + 0.5)
  const rows: string[] = []
  let y = headHeight
  for (const [index, { did, arrows }] of steps.entries()) {
    rows.push(drawCaption(shorten(`${index + 1}. ${onOneLine(did)}`), 0, y + 18, 'start'))
    y += stepHeight
    for (const arrow of arrows) {
      rows.push(drawExchange(arrow, y, xOf))
      y += arrowHeight
    }
  }
  const lanes = parties.map((party) => drawLane(party, xOf(party), y, laneWidth))
  const label = `The story in ${plural(steps.length, 'step')}; the list above says the same.`
  return `<svg viewBox="0 0 ${width} ${y + 10}" width="${width}" height="${y + 10}" role="img" aria-label="${escapeMarkup(label)}">${lanes.join('')}${rows.join('')}</svg>`
}

function drawExchange(exchange: Exchange, y: number, xOf: (party: Party) => number): string {
  const [x1, x2] = [xOf(exchange.from), xOf(exchange.to)]
  const said =
    exchange.kind === 'websocket'
      ? exchange.verdict
      : `${exchange.request.method} ${exchange.response?.status ?? exchange.failure ?? 'no response'}`
  const caption = drawCaption(shorten(onOneLine(said)), (x1 + x2) / 2, y + 12, 'middle')
  return `<g class="arrow">${caption}${drawShaft(x1, x2, y + 22)}</g>`
}

function shorten(text: string): string {
  return text.length <= longestCaption ? text : `${text.slice(0, longestCaption - 2)} …`
}
