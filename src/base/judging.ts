import { AsyncLocalStorage } from 'node:async_hooks'

/** The check that runs. Its exchanges and tokens are those that it caused, through whichever driver, double or socket. */
interface Judging {
  /** The check, for the watchdog. */
  readonly name?: string
  /** Collects the ids of exchanges. */
  readonly exchanges?: string[]
  readonly tokens?: { isDenied: boolean }
}

// The one context that is not handed down: what a peer does on a connection belongs to the check that has opened it.
const running = new AsyncLocalStorage<Judging>()

export function whileJudging<T>(judging: Judging, run: () => Promise<T>): Promise<T> {
  return running.run({ ...running.getStore(), ...judging }, run)
}

export function whatIsJudged(): Judging {
  return running.getStore() ?? {}
}
