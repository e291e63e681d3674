import { type Gap, gapRules } from '../model/finding.ts'

/** Puts the gaps of obfuscated scripts together, since a tool that obfuscates a build does so to all of its scripts. */
export function oneGapAPath(gaps: readonly Gap[], paths: readonly string[]): Gap[] {
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
