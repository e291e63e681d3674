import { answerTrials } from '../trials.ts'

/** Trials that are sound, report a fault, never come back, and end their process. */
const trials = [
  async () => null,
  async () => 'a fault',
  async () => {
    for (;;);
  },
  async () => process.abort(),
  async () => null,
  async () => 'the last',
]

answerTrials<readonly number[]>((chosen) => chosen.flatMap((index) => trials[index] ?? []))
