import { type FileToRead, sizeOf } from '../engine/walk-files.ts'

/** A name that says so is enough: the order changes how long an audit takes, and never what it reports. */
const packed = /\.(?:apk|aab|aar|xapk|ipa|jar|war|zip|nupkg|whl|asar|tar|tgz|gz|zst|br)$/i

/**
 * Files that hold others first, the largest of them at the beginning: what takes long and comes last is what one thread
 * reads while the other has nothing left to do.
 */
export function costliestFirst(files: readonly FileToRead[]): FileToRead[] {
  const { holders = [], others = [] } = Object.groupBy(files, ({ name }) =>
    packed.test(name) ? 'holders' : 'others',
  )
  const sizes = new Map(holders.map((file) => [file, sizeOf(file)]))
  return [...holders.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0)), ...others]
}
