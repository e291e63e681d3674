/** As in `engines` of package.json; a test compares the two. */
const oldest = [
  [22, 22],
  [24, 0],
] as const

/** Why this version of Node cannot run the command; null where it can. An old Node reads this file. */
export function unsupportedNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [newestMajor] = oldest[oldest.length - 1] ?? [0]
  const isSupported = major > newestMajor || oldest.some(([one, least]) => major === one && minor >= least)
  if (isSupported) return null
  return `needs Node ${oldest.map((known) => known.join('.')).join(' or ')} or later, but this is Node ${version}; install a newer version`
}
