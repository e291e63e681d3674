/** Lets work begin now and be awaited later. Until then its failure is not unhandled, so it does not end the run. */
export function awaitedLater<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined)
  return work
}
