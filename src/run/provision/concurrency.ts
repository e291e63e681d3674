/** Runs all at once. It waits for every one, even where one fails, so that all that was started can be disposed of. */
export async function runAll<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const settled = await Promise.allSettled(items.map(run))
  const failure = settled.find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

/** Settles as the promise does, or rejects with the reason of an abort before that. */
export async function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Collects resources that are disposed of all at once, which is faster than one after the other. */
export function createDisposableGroup<T extends AsyncDisposable>(): AsyncDisposable & {
  use(resource: T): T
} {
  const resources: T[] = []
  return {
    use(resource) {
      resources.push(resource)
      return resource
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(resources.map((resource) => resource[Symbol.asyncDispose]()))
    },
  }
}
