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
}

const mostSilences = 2
/** So many show that it goes on. */
const manySilences = 6
/** The least time, which a part that was only ever fast may still need, and how many times its slower answers. */
const suspected = [2_000, 4] as const
const known = [1_500, 4] as const
/** Counts so many of the last answers, of which this share is faster: a pause of the machine is no habit. */
const countedAnswers = 200
const fasterShare = 0.95

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
  const slowMs = () =>
    answersMs.toSorted((one, other) => one - other)[Math.floor(answersMs.length * fasterShare)] ?? 0
  return {
    isOftenSilent: () => silences >= manySilences,
    deadlineMs(usualMs, leastMs = 0) {
      if (silences < mostSilences || asUsual.getStore() === true) return usualMs
      const [shortestMs, timesSlow] = silences < manySilences ? suspected : known
      return Math.min(usualMs, leastMs + Math.ceil(Math.max(shortestMs, timesSlow * slowMs()) / 100) * 100)
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
