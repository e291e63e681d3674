/** Of work that is begun now and awaited later: until then, its failure is not an unhandled one, which would end the run. */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}
