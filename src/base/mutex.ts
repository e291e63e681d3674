import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Lets many share a resource, and one at a time use it exclusively: checks that script the mint double need the backend to
 * themselves. First come, first served, so neither side starves; only a run that is due soon goes before the others,
 * because a token expires meanwhile. Exclusive runs of the same group that wait at the same time are let in together.
 */
export interface Mutex {
  /** Runs beside others that share; inside an exclusive run it runs at once. */
  runShared<T>(run: () => Promise<T>): Promise<T>
  runExclusive<T>(run: () => Promise<T>, turn?: ExclusiveTurn): Promise<T>
  /** True inside an exclusive run: to wait for one that shares would wait for itself. */
  isWithinExclusive(): boolean
}

export interface ExclusiveTurn {
  readonly soon?: boolean
  readonly group?: string
}

interface Waiting extends ExclusiveTurn {
  readonly isExclusive: boolean
  start(): Promise<unknown>
}

export function createMutex(): Mutex {
  const within = new AsyncLocalStorage<true>()
  const queue: Waiting[] = []
  let running = 0
  let isHeldExclusively = false

  const proceed = () => {
    for (;;) {
      const next = queue.find(({ soon }) => soon) ?? queue[0]
      if (next === undefined || isHeldExclusively || (next.isExclusive && running > 0)) return
      const entering = next.group === undefined ? [next] : queue.filter(({ group }) => group === next.group)
      isHeldExclusively = next.isExclusive
      running += entering.length
      for (const one of entering) queue.splice(queue.indexOf(one), 1)
      for (const one of entering)
        void one.start().then(() => {
          running -= 1
          if (running === 0) isHeldExclusively = false
          proceed()
        })
    }
  }

  const enter = <T>(isExclusive: boolean, run: () => Promise<T>, turn: ExclusiveTurn = {}): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      // The end of one run starts the next, which must keep the context in which it was asked for.
      const asAsked = AsyncLocalStorage.snapshot()
      queue.push({ ...turn, isExclusive, start: () => asAsked(run).then(resolve, reject) })
      // The others of a group may ask in the same moment.
      if (turn.group === undefined) proceed()
      else setImmediate(proceed)
    })

  return {
    isWithinExclusive: () => within.getStore() === true,
    runShared: (run) => (within.getStore() === true ? run() : enter(false, run)),
    runExclusive(run, turn) {
      if (within.getStore() === true) return run()
      return enter(true, () => within.run(true, run), turn)
    },
  }
}
