import type { PathAndValue } from '../../base/tokens/json-paths.ts'

/** A peer may send a million attributes, and a pattern without a bound would remember each. */
const tag =
  /<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*')){0,1000})\s*(\/?)>/g
const attribute = /\s([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const entity = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
/** A peer may nest deeper. */
const deepest = 64

/** Attributes and texts, each with its path: `welcome/@user`. Nothing is matched: a stream has no end. */
export function splitXml(text: string): PathAndValue[] {
  const leaves: PathAndValue[] = []
  const open: string[] = []
  let end = 0
  for (const { 0: whole, 1: closes, 2: name = '', 3: attributes = '', 4: isEmpty, index } of text.matchAll(
    tag,
  )) {
    pushText(leaves, open, text.slice(end, index))
    end = index + whole.length
    if (closes === '/') {
      open.pop()
      continue
    }
    const stated = [...attributes.matchAll(attribute)]
    if (stated.length > 0) {
      const path = pathOf([...open.slice(0, deepest), name])
      for (const [, key, double, single] of stated)
        leaves.push({ path: `${path}/@${key}`, value: decode(double ?? single ?? '') })
    }
    if (isEmpty !== '/') open.push(name)
  }
  pushText(leaves, open, text.slice(end))
  return leaves
}

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function pushText(leaves: PathAndValue[], open: readonly string[], raw: string): void {
  const text = raw.trim()
  if (text !== '' && open.length > 0) leaves.push({ path: pathOf(open), value: decode(text) })
}

function pathOf(elements: readonly string[]): string {
  return elements.slice(0, deepest).join('/')
}

function decode(text: string): string {
  return text.replaceAll(entity, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
