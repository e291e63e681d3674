import { onOneLine } from '../../../base/printable.ts'
import { escapeMarkup } from '../../escape.ts'
import { credentialNames } from '../../misplaced-credentials.ts'
import type { RunResults } from '../../results.ts'
import { type Arrow, buildTokenFlow, type TokenFlow, type TokenLeak } from '../../token-flow.ts'
import { linkToRequirement, renderSection } from './markup.ts'
import { drawCredential, drawTokenFlow, formatOffset } from './token-flow-svg.ts'

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

/** The three credentials of the flow, and every other kind that was sent. */
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
  const items = leaks.map(
    (leak) => `<li>${describeLeak(leak)} ${leak.requirements.map(linkToRequirement).join(' ')}</li>`,
  )
  return `<ul class="leaks">${items.join('')}</ul>`
}

function describeLeak({ kind, from, to, place, exchanges }: TokenLeak): string {
  const often = exchanges.length === 1 ? '' : ` (${exchanges.length} times)`
  return escapeMarkup(
    onOneLine(`✕ ${credentialNames[kind].name}, from ${from} to ${to}, in ${place}${often}:`),
  )
}

function renderStep({ from, to, at, text, carries, violated, exchange }: Arrow): string {
  const carried = carries.map(
    ({ kind, fingerprint }) =>
      `<span class="secret ${kind}">${credentialNames[kind].name}${fingerprint === null ? '' : ` #${fingerprint}`}</span>`,
  )
  const what = carried.length === 0 ? '' : `, carrying ${carried.join(' and ')}`
  return `<li>${from} → ${to}: ${escapeMarkup(onOneLine(text))}${what}${violated.length === 0 ? '' : ` ✕ ${violated.map(linkToRequirement).join(' ')}`} <span class="time">${formatOffset(at)}, ${escapeMarkup(exchange)}</span></li>`
}
