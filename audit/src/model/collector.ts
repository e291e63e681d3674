import { type Finding, fingerprintOf, type Gap, type GapKind, gapRules, shownAs } from './finding.ts'
import { createNameCleaner } from './location.ts'

/** The known facts of a sighting; the rest of a finding follows from them. */
export type Sighting = Omit<Finding, 'fingerprint' | 'shown' | 'length'> & {
  readonly secret: string
  /** The part of the secret that may be shown. */
  readonly show: string
  /** The file has it, up to its end, as a string: a row of a table, or between quotes. */
  readonly isString?: boolean | undefined
}

type Secret = Pick<Sighting, 'secret' | 'isString'>

/** A finding, and whether another one of the same place reads the same secret better. */
type Collected = Finding & { readonly isLesser?: true | undefined }

/** Collects findings and gaps, one for each secret, rule and place. */
export interface Collector {
  report(sighting: Sighting): void
  gap(kind: GapKind, location: string, reason: string): void
  /** Says whether a secret was already seen in this location, or in something inside it, at a level or a higher one. */
  has(location: string, secret: string, level?: Finding['level']): boolean
  findings(): Finding[]
  gaps(): Gap[]
}

/** Containers around a file, and as many marks of theirs as a name has in itself. */
const mostOuter = 64

/** Keys of one place that are compared with each other. */
const mostCompared = 256

export function createCollector(prefix: string): Collector {
  const withoutSecrets = createNameCleaner(prefix)
  const findings = new Map<string, Collected>()
  /** The secrets of the keys in each place, by the keys of their findings. */
  const secrets = new Map<string, Map<string, Secret>>()
  const gaps = new Map<string, Gap>()
  /** The highest level of each secret in each place. */
  const places = new Map<string, number>()
  const addFinding = (finding: Collected) => {
    const key = `${finding.rule}\0${finding.location}\0${finding.fingerprint}`
    findings.set(key, finding)
    addPlaces(finding)
  }
  /** Marks the finding, or others of its place, as the lesser reading of one secret. */
  const addKey = (finding: Finding, key: string, secret: Secret) => {
    const beside = secrets.get(finding.location) ?? new Map<string, Secret>()
    secrets.set(finding.location, beside)
    let isLesser = false
    for (const [otherKey, otherSecret] of beside) {
      if (!isSameKey(secret.secret, otherSecret.secret, prefix)) continue
      const other = findings.get(otherKey)
      if (other === undefined) continue
      const lesser = lesserReading({ ...finding, ...secret }, { ...other, ...otherSecret })
      if (lesser === secret.secret) isLesser = true
      else if (lesser === otherSecret.secret && other.isLesser !== true)
        addFinding({ ...other, isLesser: true })
    }
    if (beside.size < mostCompared) beside.set(key, secret)
    addFinding({ ...finding, isLesser: isLesser ? true : undefined })
  }
  const addGap = (gap: Gap) => {
    const key = `${gap.rule}\0${gap.location}\0${gap.reason}`
    if (!gaps.has(key)) gaps.set(key, gap)
  }
  const addPlaces = ({ location, fingerprint, level }: Finding) => {
    const rank = severity.indexOf(level)
    const add = (place: string) => {
      const key = `${place}\0${fingerprint}`
      places.set(key, Math.max(rank, places.get(key) ?? rank))
    }
    let place = location
    add(place)
    for (let outer = 0; outer < mostOuter && place.includes('!'); outer++) {
      place = place.slice(0, place.lastIndexOf('!'))
      add(place)
    }
  }
  return {
    report({ secret, show, isString, ...sighting }) {
      const name = sighting.name === undefined ? undefined : withoutSecrets(sighting.name)
      const rest = { ...sighting, name }
      const fingerprint = fingerprintOf(secret)
      const location = withoutSecrets(rest.location)
      const key = `${rest.rule}\0${location}\0${fingerprint}`
      const text = rest.kind === 'mint-call' ? withoutSecrets(show) : shownOf(rest.kind, show, secret)
      const shown = name === undefined ? text : `${name}: ${text}`
      const known = findings.get(key)
      const wasString = secrets.get(location)?.get(key)?.isString
      const isBetter = known === undefined ? 1 : worthOf(rest) - worthOf(known) || known.offset - rest.offset
      const isKept = known !== undefined && isBetter <= 0
      if (isKept && (isString !== true || wasString === true)) return
      const finding = isKept ? known : { ...rest, location, length: secret.length, fingerprint, shown }
      if (rest.kind === 'key') addKey(finding, key, { secret, isString: isString === true || wasString })
      else addFinding(finding)
    },
    gap: (kind, location, reason) =>
      addGap({ rule: gapRules[kind], location: withoutSecrets(location), reason: withoutSecrets(reason) }),
    has: (location, secret, level = 'note') =>
      (places.get(`${withoutSecrets(location)}\0${fingerprintOf(secret)}`) ?? -1) >= severity.indexOf(level),
    findings: () => withoutKnownPrefixes(withoutLesser([...findings.values()])).sort(byPlace),
    gaps: () => [...gaps.values()].sort(byPlace),
  }
}

function shownOf(kind: Finding['kind'], show: string, { length }: string): string {
  return kind === 'exposure' ? show : shownAs(show, length)
}

/** The secret of two readings of one key that is read less well; `null` where both are secrets. */
function lesserReading<T extends Finding & Secret>(left: T, right: T) {
  const [part, whole] = left.secret.length < right.secret.length ? [left, right] : [right, left]
  return lesserOf(part, whole)?.secret ?? null
}

function withoutLesser(findings: readonly Collected[]): Finding[] {
  return findings.flatMap(({ isLesser, ...finding }) => (isLesser === true ? [] : [finding]))
}

/** The bare prefix says that there may be a key: where one is found, it says nothing more. */
function withoutKnownPrefixes(findings: readonly Finding[]): Finding[] {
  const withKey = new Set(findings.flatMap(({ kind, location }) => (kind === 'key' ? [location] : [])))
  return findings.filter(({ kind, location }) => kind !== 'prefix' || !withKey.has(location))
}

/** The same audit, but what was seen in a location already, or in something inside it, is not reported there again. */
export function exceptKnown<T extends { readonly collector: Collector }>(audit: T): T {
  const { collector } = audit
  return {
    ...audit,
    collector: {
      ...collector,
      report: (sighting) => {
        if (!collector.has(sighting.location, sighting.secret)) collector.report(sighting)
      },
    },
  }
}

/** Entries are not read in the order of the archive: whatever that order is, reports are the same. */
function byPlace<T extends { readonly location: string; readonly rule: string; readonly offset?: number }>(
  left: T,
  right: T,
): number {
  if (left.location !== right.location) return left.location < right.location ? -1 : 1
  if (left.offset !== right.offset) return (left.offset ?? 0) - (right.offset ?? 0)
  return left.rule === right.rule ? 0 : left.rule < right.rule ? -1 : 1
}

const severity = ['note', 'warning', 'error']

/**
 * The worth of a sighting among those of one secret. The more serious is better, then the one whose end is known, then the
 * exact one.
 */
export function worthOf({ level, extent, decoder }: Pick<Finding, 'level' | 'extent' | 'decoder'>): number {
  const isExact = decoder === 'string-table'
  return 4 * severity.indexOf(level) + (extent === undefined ? 2 : 0) + (isExact ? 1 : 0)
}

type Read = Pick<Finding, 'decoder' | 'extent' | 'level'> & Secret

/** Shorter ends of a key are no sign that another one is a part of it. */
const leastEnd = 16

/** Says whether the shorter of two readings is a part of the other: its beginning, or its end behind the prefix. */
function isSameKey(left: string, right: string, prefix: string): boolean {
  if (left.length === right.length) return false
  const [part, whole] = left.length < right.length ? [left, right] : [right, left]
  if (whole.startsWith(part)) return true
  return part.length - prefix.length >= leastEnd && whole.endsWith(part.slice(prefix.length))
}

const plain = /^utf-(?:8|16[bl]e)$/

/**
 * Returns the reading that says less, of a part and the whole: the part, unless its end is better known.
 * Returns `null` where leaving it out would make a finding less serious. Returns `null` too where both are strings of
 * the file, or where the part is one and the whole was only put together: text behind a key makes another whole. A part that
 * is less of a key than the whole is only a piece of it.
 */
function lesserOf<T extends Read>(part: T, whole: T): T | null {
  const isRow = (read: T) => read.decoder === 'string-table'
  if (isRow(part) && isRow(whole)) return null
  const isGuessed = whole.extent === 'uncertain' && part.extent === undefined
  const isMade = !isRow(whole) && !plain.test(whole.decoder)
  const isPiece = severity.indexOf(whole.level) > severity.indexOf(part.level)
  if (part.isString === true && isMade && !isGuessed && !isPiece) return null
  const isLoose = isRow(part) && plain.test(whole.decoder)
  const [lesser, kept] = isGuessed || isLoose ? [whole, part] : [part, whole]
  return severity.indexOf(kept.level) < severity.indexOf(lesser.level) ? null : lesser
}
