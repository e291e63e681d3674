import { AsyncLocalStorage } from 'node:async_hooks'

/** One exchange that had the time which a part usually has. */
export interface Waited {
  /** Monotonic milliseconds. */
  readonly startedAt: number
  readonly endedAt: number
  readonly isSilent: boolean
}

/**
 * How long the answers of one part are waited for. A node that hangs for ever costs the whole deadline twice: after that, a
 * request is waited for by what the part's answers took so far, however slow this machine is.
 */
export interface AnswerWait {
  /** @param leastMs a time that alone is a sign of success */
  deadlineMs(usualMs: number, leastMs?: number): number
  note(waited: Waited): void
  /** Says whether the part was silent so often that a busy machine does not explain it. */
  isOftenSilent(): boolean
  /** After so long without an answer the same may be asked beside it; null for a part that is not often silent. */
  besideMs(): number | null
}

const mostSilences = 2
/** So many show that it goes on. */
const manySilences = 6
/**
 * From so many silences on: the least time, which a part that was only ever fast may still need, and how many times as long
 * as this share of its answers took at most. A pause of the machine is no habit. Where a third of a long run's requests
 * meets a dead node, requests that were slow for being many at once count no more.
 */
const waits = [
  { silences: 12, leastMs: 500, times: 8, share: 0.75 },
  { silences: manySilences, leastMs: 1_500, times: 4, share: 0.95 },
  { silences: mostSilences, leastMs: 2_000, times: 4, share: 0.95 },
] as const
/** Counts so many of the last answers. */
const countedAnswers = 200
/** Another request beside a slow one does no harm, so that this time is shorter than a deadline. */
const beside = { leastMs: 100, times: 3, share: 0.5 } as const

const asUsual = new AsyncLocalStorage<true>()

/** Waits for each answer as long as usual: a verdict may rest on the silence. */
export function waitingAsUsual<T>(run: () => Promise<T>): Promise<T> {
  return asUsual.run(true, run)
}

const patiently = new AsyncLocalStorage<true>()
const timesPatient = 5

/** Waits for connections several times as long, and for each answer as long as usual: the part is slow, and not down. */
export function waitingPatiently<T>(run: () => Promise<T>): Promise<T> {
  return patiently.run(true, () => waitingAsUsual(run))
}

/** How long a connection is waited for. Nothing that is offered can be refused before. */
export function connectingMs(deadlineMs: number): number {
  return patiently.getStore() === true ? timesPatient * deadlineMs : deadlineMs
}

export function createAnswerWait(): AnswerWait {
  let silences = 0
  let silentUntil = Number.NEGATIVE_INFINITY
  let answersMs: number[] = []
  const longestMs = (share: number) =>
    answersMs.toSorted((one, other) => one - other)[Math.floor(answersMs.length * share)] ?? 0
  const isOftenSilent = () => silences >= manySilences
  return {
    isOftenSilent,
    besideMs: () =>
      isOftenSilent() && asUsual.getStore() !== true
        ? Math.max(beside.leastMs, beside.times * longestMs(beside.share))
        : null,
    deadlineMs(usualMs, leastMs = 0) {
      const wait = waits.find((one) => silences >= one.silences)
      if (wait === undefined || asUsual.getStore() === true) return usualMs
      const neededMs = Math.max(wait.leastMs, wait.times * longestMs(wait.share))
      return Math.min(usualMs, leastMs + Math.ceil(neededMs / 100) * 100)
    },
    note({ startedAt, endedAt, isSilent }) {
      if (!isSilent) answersMs = [...answersMs, endedAt - startedAt].slice(-countedAnswers)
      // Requests that were silent at the same time show it once.
      else if (startedAt >= silentUntil) {
        silences += 1
        silentUntil = endedAt
      }
    },
  }
}
