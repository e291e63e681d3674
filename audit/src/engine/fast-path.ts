import type { Hits } from '../scan/search.ts'
import { holdsWrapped } from '../scan/unwrap.ts'
import type { Audit } from './context.ts'

/**
 * Says whether one search of the bytes leaves nothing to be looked at. No place was found, and no table of a
 * format tells more than the bytes do. The bytes contain nothing that would have to be opened. Most files of
 * an app are of this kind.
 * @param isSearched they were searched before, and nothing was found
 */
export function needsNoCloserLook(
  { formats, containers, searcher }: Pick<Audit, 'formats' | 'containers' | 'searcher'>,
  name: string,
  bytes: Buffer,
  isSearched: boolean,
): boolean {
  if (bytes.length === 0 || bytes.length > largest) return false
  if (!formats.isPlainBinary(name, bytes) || containers.mayBeOpened(name, bytes)) return false
  if (isSearched) return !holdsWrapped({ searcher }, bytes)
  let isFound = false
  const found = () => {
    isFound = true
  }
  const hits: Hits = { needle: found, xored: found, escape: found }
  searcher.search(bytes, hits)
  return !isFound && !holdsWrapped({ searcher }, bytes)
}

/** Larger ones are few, and searching them twice would cost more than is saved. */
const largest = 4 * 1024 * 1024
