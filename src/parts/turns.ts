import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Lets many share a thing, and one at a time have it alone: checks that script the mint double need the backend to
 * themselves. First come, first served, so neither side starves.
 */
export interface Turns {
  /** Runs beside others that share; inside a turn of one's own it runs at once. */
  shared<T>(run: () => Promise<T>): Promise<T>
  alone<T>(run: () => Promise<T>): Promise<T>
}

export function createTurns(): Turns {
  const within = new AsyncLocalStorage<true>()
  let lastAlone: Promise<unknown> = Promise.resolve()
  let sharing: Promise<unknown>[] = []

  return {
    shared(run) {
      if (within.getStore() === true) return run()
      const started = lastAlone.then(run)
      sharing.push(started.catch(() => undefined))
      return started
    },
    alone(run) {
      if (within.getStore() === true) return run()
      const before = Promise.all([lastAlone, ...sharing])
      sharing = []
      const started = before.then(() => within.run(true, run))
      lastAlone = started.catch(() => undefined)
      return started
    },
  }
}
