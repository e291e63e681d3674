import { createRandom, faultOf, type Host, mutate } from '../src/testing/fuzz.ts'
import { faultOfScript, randomScript } from '../src/testing/random-scripts.ts'
import { answerTrials } from './trials.ts'

/** Subject of the trials: damaged copies of a file, or scripts that are put together at random. */
export type Subject = Host | 'scripts'

export interface FuzzTask {
  readonly subject: Subject
  readonly seed: number
  readonly mutants: number
}

/** Each trial follows from the seed and its number alone, so that one can be made again. */
function faultAt({ subject, seed }: FuzzTask, index: number) {
  const random = createRandom(seed * 1_000_003 + index)
  return subject === 'scripts'
    ? faultOfScript(randomScript(random))
    : faultOf(subject.name, mutate(subject.bytes, random), subject.key)
}

answerTrials<FuzzTask>(function* (task) {
  for (let index = 0; index < task.mutants; index++) yield async () => faultAt(task, index)
})
