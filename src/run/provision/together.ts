/** All at once; what was begun is waited for even where one fails, so that it can be taken down. */
export async function everyOne<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const settled = await Promise.allSettled(items.map(run))
  const failure = settled.find((result) => result.status === 'rejected')
  if (failure !== undefined) throw failure.reason
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}

export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
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

/** Things that are taken down at once: one after the other they would take their time. */
export function together<T extends AsyncDisposable>(): AsyncDisposable & { use(thing: T): T } {
  const things: T[] = []
  return {
    use(thing) {
      things.push(thing)
      return thing
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(things.map((thing) => thing[Symbol.asyncDispose]()))
    },
  }
}
