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
  /** Each answer is waited for as long as usual, until this is disposed of: a verdict may rest on the silence. */
  asUsual(): Disposable
}

/**
 * From so many silences on: the least time, which a part that was only ever fast may still need, and how many times as long
 * as this share of its answers took at most. A pause of the machine is no habit. Where a third of a long run's requests
 * meets a dead node, requests that were slow for being many at once count no more.
 */
const waits = [
  { silences: 12, leastMs: 500, times: 8, share: 0.75 },
  { silences: 6, leastMs: 1_500, times: 4, share: 0.95 },
  { silences: 2, leastMs: 2_000, times: 4, share: 0.95 },
] as const
/** Counts so many of the last answers. */
const countedAnswers = 200

export function createAnswerWait(): AnswerWait {
  let silences = 0
  let silentUntil = Number.NEGATIVE_INFINITY
  let answersMs: number[] = []
  let asUsual = 0
  const longestMs = (share: number) =>
    answersMs.toSorted((one, other) => one - other)[Math.floor(answersMs.length * share)] ?? 0
  return {
    asUsual() {
      asUsual += 1
      return {
        [Symbol.dispose]() {
          asUsual -= 1
        },
      }
    },
    deadlineMs(usualMs, leastMs = 0) {
      const wait = waits.find((one) => silences >= one.silences)
      if (wait === undefined || asUsual > 0) return usualMs
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
