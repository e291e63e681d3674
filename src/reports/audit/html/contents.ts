import { type AuditResult, type Gap, ruleTexts } from '../../../../audit/src/api.ts'
import { onOneLine } from '../../../base/printable.ts'
import { escapeMarkup } from '../../escape.ts'
import { plural, renderSection } from '../../run/html/markup.ts'
import { plateOf } from './groups.ts'

const mostGaps = 20

export function renderContents({ audited, gaps }: AuditResult): string {
  const items = [...audited.map(renderPath), ...gaps.slice(0, mostGaps).map(renderGap)]
  const rest = gaps.slice(mostGaps).map(renderGap)
  if (rest.length > 0)
    items.push(
      `<li><details class="rest"><summary>${plural(rest.length, 'more gap')}</summary><ul>${rest.join('')}</ul></details></li>`,
    )
  return renderSection('contents', 'What was audited', `<ul class="card contents">${items.join('')}</ul>`)
}

function renderPath({ path, entries, bytes }: AuditResult['audited'][number]): string {
  const amount = `${plural(entries, 'file')}, ${sizeOf(bytes)} after decompression`
  return `<li><code>${escapeMarkup(onOneLine(path))}</code> <span class="meta">${escapeMarkup(amount)}</span></li>`
}

function renderGap({ rule, location, reason }: Gap): string {
  const { advice = '' } = ruleTexts[rule] ?? {}
  const tool = tools.find(([pattern]) => pattern.test(reason))?.[1] ?? ''
  const help = tool === '' ? '' : ` <span class="tool">Tool: <code>${escapeMarkup(tool)}</code></span>`
  const place = onOneLine(location.replaceAll('!', ' › '))
  return `<li class="gap"><p>${plateOf('gap')} <code>${escapeMarkup(place)}</code>: ${escapeMarkup(onOneLine(reason))} <span class="id">${escapeMarkup(rule)}</span></p><p class="meta">${escapeMarkup(advice)}${help}</p></li>`
}

/** A program that makes readable what the audit cannot read, by what a gap says; many gaps name theirs. FILE is the file. */
const tools: readonly (readonly [reason: RegExp, tool: string])[] = [
  [/\bunpack it with\b/, ''],
  [/\bUnity bundle/, 'UnityPy or AssetRipper'],
  [/^encrypted file/, 'gpg -d, age -d or openssl enc -d, with your key'],
  [/\bencrypted\b(?!.*FairPlay)|\bpassword/i, '7z x FILE, with the password'],
  [
    /containers deep|too large to be opened|over the size limit|entries or bytes/,
    '7z x FILE, then audit the folder',
  ],
]

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** A number of bytes in decimal units: `48.2 MB`. */
export function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3))
  const digits = power === 0 ? 0 : 1
  const shown = (bytes / 1000 ** power).toLocaleString('en', { maximumFractionDigits: digits })
  return `${shown} ${bytes === 1 ? 'byte' : units[power]}`
}
