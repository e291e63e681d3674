import { type Collector, worthOf } from '../model/collector.ts'
import { type AuditedPath, type AuditResult, type Finding, type Gap, gapRules } from '../model/finding.ts'
import { defaultPrefix } from '../model/key-shape.ts'
import { createNameCleaner, printable } from '../model/location.ts'
import type { AuditSettings } from '../model/settings.ts'

/** A path, and what reading it has come to. */
export function auditedAs(
  { entries, bytes }: { readonly entries: number; readonly bytes: number },
  path: string,
  { prefix = defaultPrefix }: AuditSettings,
  begun: number,
): AuditedPath {
  return {
    path: createNameCleaner(prefix)(printable(path)),
    entries,
    bytes,
    durationMs: Math.round(performance.now() - begun),
  }
}

/** The result of an audit of some paths. */
export function resultOf(
  { findings, gaps }: Collector,
  audited: readonly AuditedPath[],
  paths: readonly string[],
): AuditResult {
  return { audited, findings: onePerSecret(findings()), gaps: oneGapAPath(gaps(), paths) }
}

/** Puts the gaps of obfuscated scripts together, since a tool that obfuscates a build does so to all of its scripts. */
function oneGapAPath(gaps: readonly Gap[], paths: readonly string[]): Gap[] {
  const isOwn = ({ rule }: Gap) => rule === gapRules.obfuscated
  const pathOf = ({ location }: Gap) =>
    paths.find(
      (path) => location === path || location.startsWith(`${path}/`) || location.startsWith(`${path}!`),
    )
  const groups = Map.groupBy(gaps.filter(isOwn), (gap) => `${pathOf(gap) ?? gap.location} ${gap.reason}`)
  const together = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined || group.length === 1) return group
    const reason = `${group.length} scripts, the first one ${first.location}: ${first.reason}`
    return [{ ...first, location: pathOf(first) ?? first.location, reason }]
  })
  return [...gaps.filter((gap) => !isOwn(gap)), ...together]
}

/** Puts the places of a key or a token together: the one that says the most has the others with it. */
function onePerSecret(findings: readonly Finding[]): Finding[] {
  const groups = Map.groupBy(findings, ({ kind, rule, fingerprint, location }) =>
    kind === 'key' || kind === 'jwt' ? `${rule} ${fingerprint}` : `${rule} ${fingerprint} ${location}`,
  )
  const first = new Map(
    [...groups.values()].map((group) => {
      const best = group.reduce((one, other) => (worthOf(other) > worthOf(one) ? other : one))
      return [best, group] as const
    }),
  )
  return findings.flatMap((finding) => {
    const group = first.get(finding)
    if (group === undefined) return []
    const also = group.flatMap((other) => (other === finding ? [] : [other.location, ...(other.also ?? [])]))
    return [also.length === 0 ? finding : { ...finding, also: [...new Set(also)].sort() }]
  })
}
