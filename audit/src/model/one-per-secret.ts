import { worthOf } from './collector.ts'
import type { Finding } from './finding.ts'

/** Puts the places of a key or a token together: the one that says the most has the others with it. */
export function onePerSecret(findings: readonly Finding[]): Finding[] {
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
