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
