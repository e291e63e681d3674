/** More than any real file has; a table of more would take more memory than there is for it. */
const mostStrings = 1_000_000

/** @throws RangeError where a table says that it has more strings, or references to them, than can be held */
export function assertHoldable(count: number): void {
  if (count > mostStrings) throw new RangeError('more strings than fit into memory')
}
