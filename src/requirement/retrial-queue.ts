/** Lets what is tried once more run alone, after everything else. */
export interface RetrialQueue {
  /** The first try, beside others. */
  runFirst<T>(run: () => Promise<T>): Promise<T>
  /** Runs when no first try is under way, one after the other. */
  runAlone<T>(run: () => Promise<T>): Promise<T>
}

export function createRetrialQueue(): RetrialQueue {
  let underWay = 0
  let last: Promise<unknown> = Promise.resolve()
  let whenQuiet = Promise.withResolvers<void>()
  whenQuiet.resolve()
  return {
    async runFirst(run) {
      if (underWay === 0) whenQuiet = Promise.withResolvers()
      underWay += 1
      try {
        return await run()
      } finally {
        underWay -= 1
        if (underWay === 0) whenQuiet.resolve()
      }
    },
    runAlone(run) {
      const mine = last.then(async () => {
        while (underWay > 0) await whenQuiet.promise
        return await run()
      })
      last = mine.catch(() => undefined)
      return mine
    },
  }
}
