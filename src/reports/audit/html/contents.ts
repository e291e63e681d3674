import type { AuditResult, Finding, Gap } from '../../../audit/api.ts'
import { ruleTexts } from '../../../audit/api.ts'
import { onOneLine } from '../../../base/printable.ts'
import { escapeMarkup } from '../../escape.ts'
import { plural, renderSection } from '../../run/html/markup.ts'
import { plateOf } from './groups.ts'
import { toolFor } from './helpful-tools.ts'
import { sizeOf } from './size.ts'

/** A path that was audited, or a container in it. */
interface Place {
  readonly location: string
  /** As it ships; of a folder unknown. */
  size: number | null
  readonly entries: number
  readonly bytes: number
  readonly inside: Place[]
  readonly gaps: Gap[]
  findings: number
}

const mostOpen = 12
const mostGaps = 20

/** The containers with what is in them, and what of it could not be audited. */
export function renderContents(result: AuditResult): string {
  const places = placesOf(result)
  const items = places.map((place) => renderPlace(place, null, places.length === 1))
  return renderSection('contents', 'What was audited', `<ul class="card tree">${items.join('')}</ul>`)
}

function placesOf({ audited, containers = [], findings, gaps }: AuditResult): Place[] {
  const roots = audited.map(({ path, entries, bytes }) =>
    createPlace(path.replace(/(?<=.)\/+$/, ''), entries, bytes),
  )
  const known = new Map(roots.map((root) => [root.location, root]))
  const around = (location: string): Place | undefined =>
    containerAround(location, known) ??
    roots.find(({ location: root }) => isUnder(location, root)) ??
    roots[0]
  for (const { location, size, entries, bytes } of containers) {
    const same = known.get(location)
    if (same !== undefined) same.size = size
    else {
      const place = { ...createPlace(location, entries, bytes), size }
      around(location)?.inside.push(place)
      known.set(location, place)
    }
  }
  for (const gap of gaps) around(gap.location)?.gaps.push(gap)
  for (const { location } of findings) countIn(location, around, known)
  return roots
}

function createPlace(location: string, entries: number, bytes: number): Place {
  return { location, size: null, entries, bytes, inside: [], gaps: [], findings: 0 }
}

/** Counts a finding in every container around it. */
function countIn(
  location: Finding['location'],
  around: (location: string) => Place | undefined,
  known: ReadonlyMap<string, Place>,
): void {
  const counted = new Set<Place>()
  for (
    let place = known.get(location) ?? around(location);
    place !== undefined;
    place = around(place.location)
  ) {
    if (counted.has(place)) return
    counted.add(place)
    place.findings += 1
  }
}

/** More containers inside each other than any audit opens. */
const deepest = 64

function containerAround(location: string, known: ReadonlyMap<string, Place>): Place | null {
  let outer = location
  for (let depth = 0; depth < deepest && outer.includes('!'); depth++) {
    outer = outer.slice(0, outer.lastIndexOf('!'))
    const place = known.get(outer)
    if (place !== undefined) return place
  }
  return null
}

function isUnder(location: string, root: string): boolean {
  return location === root || location.startsWith(root.endsWith('/') ? root : `${root}/`)
}

function renderPlace(place: Place, outer: Place | null, isOpen: boolean): string {
  const { location, inside, gaps } = place
  const label = `<span class="branch"><code>${escapeMarkup(nameIn(outer, location))}</code> <span class="meta">${escapeMarkup(describe(place))}</span></span>`
  const content = [
    ...gaps.slice(0, mostGaps).map((gap) => renderGap(gap, place)),
    ...(gaps.length > mostGaps
      ? [
          `<li><details class="rest"><summary>${plural(gaps.length - mostGaps, 'more gap')}</summary><ul>${gaps
            .slice(mostGaps)
            .map((gap) => renderGap(gap, place))
            .join('')}</ul></details></li>`,
        ]
      : []),
    ...inside.map((one) => renderPlace(one, place, inside.length <= mostOpen && hasGaps(one))),
  ]
  if (content.length === 0) return `<li>${label}</li>`
  return `<li><details${isOpen || hasGaps(place) ? ' open=""' : ''}><summary>${label}</summary><ul>${content.join('')}</ul></details></li>`
}

function hasGaps({ gaps, inside }: Place): boolean {
  return gaps.length > 0 || inside.some(hasGaps)
}

/** What a container calls what is in it. */
function nameIn(outer: Place | null, location: string): string {
  const isInside = outer !== null && location.length > outer.location.length + 1
  const name =
    isInside && location.startsWith(outer.location) ? location.slice(outer.location.length + 1) : location
  return onOneLine(name.replaceAll('!', ' › '))
}

/** `48.2 MB · 1,204 files, 120 MB after decompression · 2 findings`. */
function describe({ size, entries, bytes, findings, gaps }: Place): string {
  return [
    size === null ? '' : sizeOf(size),
    `${plural(entries, 'file')}, ${sizeOf(bytes)}${size === null ? '' : ' after decompression'}`,
    findings === 0 ? '' : plural(findings, 'finding'),
    gaps.length === 0 ? '' : plural(gaps.length, 'gap'),
  ]
    .filter((part) => part !== '')
    .join(' · ')
}

function renderGap({ rule, location, reason }: Gap, outer: Place): string {
  const { advice = '' } = ruleTexts[rule] ?? {}
  const tool = toolFor(reason)
  const help = tool === null ? '' : ` <span class="tool">Tool: <code>${escapeMarkup(tool)}</code></span>`
  const name = location === outer.location ? '' : `<code>${escapeMarkup(nameIn(outer, location))}</code>: `
  return `<li class="gap"><p>${plateOf('gap')} ${name}${escapeMarkup(onOneLine(reason))} <span class="id">${escapeMarkup(rule)}</span></p><p class="meta">${escapeMarkup(advice)}${help}</p></li>`
}
