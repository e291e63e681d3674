import { mayBeOpened } from './containers/openable.ts'
import { isPlainBinary } from './formats/format.ts'
import type { Hits, Searcher } from './scan/search.ts'

/**
 * Whether nothing is left to be looked at after one search of the bytes: no place was found, no table of a format tells
 * more than the bytes do, and they contain nothing that would have to be opened. Most files of an app are of this kind.
 * @param searcher `null` where they were searched before, and nothing was found
 */
export function isPlain(name: string, bytes: Buffer, searcher: Searcher | null): boolean {
  if (bytes.length === 0 || bytes.length > largest) return false
  if (!isPlainBinary(name, bytes) || mayBeOpened(name, bytes)) return false
  if (searcher === null) return true
  let isFound = false
  const found = () => {
    isFound = true
  }
  const hits: Hits = { needle: found, xored: found, escape: found }
  searcher.search(bytes, hits)
  return !isFound
}

/** Larger ones are few, and searching them twice would cost more than is saved. */
const largest = 4 * 1024 * 1024
