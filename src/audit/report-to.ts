import { type Finding, type Gap, type GapKind, gapRules } from './finding.ts'
import { fingerprintOf, shownAs } from './fingerprint.ts'
import type { KeyShape } from './key-shape.ts'
import { createNameCleaner } from './location.ts'

/** What is known about a sighting; the rest of a finding follows from it. */
export type Sighting = Omit<Finding, 'fingerprint' | 'shown' | 'length'> & {
  readonly secret: string
  /** The part of the secret that may be shown. */
  readonly show: string
}

/** Collects findings and gaps, one for each secret, rule and place. */
export interface Collector {
  report(sighting: Sighting): void
  gap(kind: GapKind, location: string, reason: string): void
  /** Whether a secret was already seen in this location or in something inside it. */
  has(location: string, secret: string): boolean
  findings(): Finding[]
  gaps(): Gap[]
}

export function createCollector(prefix: string): Collector {
  const withoutSecrets = createNameCleaner(prefix)
  const findings = new Map<string, Finding>()
  const gaps = new Map<string, Gap>()
  const places = new Set<string>()
  return {
    report({ secret, show, ...rest }) {
      const fingerprint = fingerprintOf(secret)
      const location = withoutSecrets(rest.location)
      const key = `${rest.rule}\0${location}\0${fingerprint}`
      const shown =
        rest.kind === 'mint-call'
          ? withoutSecrets(secret)
          : rest.kind === 'exposure'
            ? show
            : shownAs(show, secret.length)
      const known = findings.get(key)
      if (known !== undefined && !isBetter(rest, known)) return
      findings.set(key, { ...rest, location, length: secret.length, fingerprint, shown })
      for (let place = location; ; place = place.slice(0, place.lastIndexOf('!'))) {
        places.add(`${place}\0${fingerprint}`)
        if (!place.includes('!')) break
      }
    },
    gap(kind, location, reason) {
      const gap = { rule: gapRules[kind], location: withoutSecrets(location), reason: withoutSecrets(reason) }
      gaps.set(`${gap.rule}\0${gap.location}\0${reason}`, gap)
    },
    has: (location, secret) => places.has(`${withoutSecrets(location)}\0${fingerprintOf(secret)}`),
    findings: () => [...findings.values()],
    gaps: () => [...gaps.values()],
  }
}

const severity = ['note', 'warning', 'error']

/** Of two sightings of one secret in one place, the more serious is kept, then the one whose end is known, then the exact. */
function isBetter(next: Omit<Sighting, 'secret' | 'show'>, known: Finding): boolean {
  if (next.level !== known.level) return severity.indexOf(next.level) > severity.indexOf(known.level)
  if (next.extent !== known.extent) return next.extent === undefined
  const isExact = ({ decoder }: Pick<Finding, 'decoder'>) => decoder === 'string-table'
  if (isExact(next) !== isExact(known)) return isExact(next)
  return next.offset < known.offset
}

/** The rule and level of a key that was read in a form. */
export function keyRule(
  form: 'plain' | 'folded' | 'encoded' | 'xor',
  shape: KeyShape,
): Pick<Finding, 'rule' | 'level' | 'kind'> | null {
  if (shape === 'strong') {
    const rule = { plain: 'AUD-001', folded: 'AUD-005', encoded: 'AUD-006', xor: 'AUD-007' }[form]
    return { rule, level: form === 'xor' ? 'warning' : 'error', kind: 'key' }
  }
  if (form === 'xor') return null
  if (shape === 'weak')
    return {
      rule: { plain: 'AUD-002', folded: 'AUD-005', encoded: 'AUD-006' }[form],
      level: 'warning',
      kind: 'key',
    }
  if (shape === 'bare') return { rule: 'AUD-004', level: 'warning', kind: 'prefix' }
  return form === 'encoded' ? null : { rule: 'AUD-003', level: 'note', kind: 'identifier' }
}
