import type { Finding } from './finding.ts'

type Read = Pick<Finding, 'decoder' | 'extent' | 'level'> & { readonly secret: string }

/** Shorter ends of a key are no sign that another one is a part of it. */
const leastEnd = 16

/** Says whether one reading is a part of a whole key: its beginning, or its end behind the prefix. */
export function isPartOf(part: string, whole: string, prefix: string): boolean {
  if (part.length >= whole.length) return false
  const end = part.slice(prefix.length)
  return whole.startsWith(part) || (end.length >= leastEnd && whole.endsWith(end))
}

const severity = ['note', 'warning', 'error']

/**
 * Returns the reading that says less, of a part and the whole: the part, unless its end is better known.
 * Returns `null` where leaving it out would make a finding less serious. Returns `null` too where a table
 * says that both are strings of the file.
 */
export function lesserOf<T extends Read>(part: T, whole: T): T | null {
  if (part.decoder === 'string-table' && whole.decoder === 'string-table') return null
  const isGuessed = whole.extent === 'uncertain' && part.extent === undefined
  const isLoose = part.decoder === 'string-table' && /^utf-(?:8|16[bl]e)$/.test(whole.decoder)
  const [lesser, kept] = isGuessed || isLoose ? [whole, part] : [part, whole]
  return severity.indexOf(kept.level) < severity.indexOf(lesser.level) ? null : lesser
}
