import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Lets many share a resource, and one at a time use it exclusively: checks that script the mint double need the backend to
 * themselves. First come, first served, so neither side starves; only a run that is due soon goes before the others,
 * because a token expires meanwhile.
 */
export interface Mutex {
  /** Runs beside others that share; inside an exclusive run it runs at once. */
  runShared<T>(run: () => Promise<T>): Promise<T>
  runExclusive<T>(run: () => Promise<T>, due?: { readonly soon: boolean }): Promise<T>
}

interface Waiting {
  readonly isExclusive: boolean
  readonly isSoon: boolean
  start(): Promise<unknown>
}

export function createMutex(): Mutex {
  const within = new AsyncLocalStorage<true>()
  const queue: Waiting[] = []
  let running = 0
  let isHeldExclusively = false

  const proceed = () => {
    for (;;) {
      const next = queue.find(({ isSoon: isDue }) => isDue) ?? queue[0]
      if (next === undefined || isHeldExclusively || (next.isExclusive && running > 0)) return
      queue.splice(queue.indexOf(next), 1)
      running += 1
      isHeldExclusively = next.isExclusive
      void next.start().then(() => {
        running -= 1
        if (next.isExclusive) isHeldExclusively = false
        proceed()
      })
    }
  }

  const enter = <T>(isAlone: boolean, isDue: boolean, run: () => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      // The end of one run starts the next, which must keep the context in which it was asked for.
      const asAsked = AsyncLocalStorage.snapshot()
      queue.push({ isExclusive: isAlone, isSoon: isDue, start: () => asAsked(run).then(resolve, reject) })
      proceed()
    })

  return {
    runShared: (run) => (within.getStore() === true ? run() : enter(false, false, run)),
    runExclusive(run, { soon } = { soon: false }) {
      if (within.getStore() === true) return run()
      return enter(true, soon, () => within.run(true, run))
    },
  }
}
