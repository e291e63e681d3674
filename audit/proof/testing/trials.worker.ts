import { answerTrials } from '../trials.ts'

/** Trials that are sound, report a fault, never come back, end their process, and wait for ever. */
const trials = [
  async () => null,
  async () => 'a fault',
  async () => {
    for (;;);
  },
  async () => process.abort(),
  async () => null,
  async () => 'the last',
  () =>
    new Promise<null>(() => {
      setInterval(() => undefined, 1000)
    }),
]

answerTrials<readonly number[]>((chosen) => chosen.flatMap((index) => trials[index] ?? []))
