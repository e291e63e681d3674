/** Resolves with null when the user interrupts. */
export function interruptionOf(signal: AbortSignal): Promise<null> {
  const { promise, resolve: interrupt } = Promise.withResolvers<null>()
  if (signal.aborted) interrupt(null)
  else signal.addEventListener('abort', () => interrupt(null), { once: true })
  return promise
}
