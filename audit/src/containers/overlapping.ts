/** Files that lie in an archive as they are, or in what its blocks expand to. */
export const overlapping = {
  kind: 'disagreement',
  reason: 'its files overlap: not all of them are read',
} as const

/** Equal files may share their bytes. */
const always = 16 * 1024 * 1024

/**
 * Says of one file after the other whether it still fits. Together they are not longer than the bytes that hold them: an
 * archive that has one file many times is a trap.
 */
export function roomForFiles(size: number): (file: number) => boolean {
  let room = 2 * size + always
  return (file) => {
    room -= file
    return room >= 0
  }
}

/** The stretches of an archive that none of its files is in, `[start, end)`. */
export function uncovered(
  files: readonly { readonly start: number; readonly end: number }[],
  size: number,
): [number, number][] {
  const rest: [number, number][] = []
  let at = 0
  for (const { start, end } of files.toSorted((a, b) => a.start - b.start)) {
    if (start > at) rest.push([at, start])
    at = Math.max(at, end)
  }
  if (at < size) rest.push([at, size])
  return rest
}
