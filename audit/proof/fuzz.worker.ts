import { parentPort, workerData } from 'node:worker_threads'
import { createRandom, faultOf, type Host, mutate } from '../src/testing/fuzz.ts'
import { faultOfScript, randomScript } from '../src/testing/random-scripts.ts'

/** Subject of the trials: damaged copies of a file, or scripts that are put together at random. */
export type Subject = Host | 'scripts'

export interface FuzzTask {
  readonly subject: Subject
  readonly seed: number
  readonly from: number
  readonly to: number
}

export type FuzzMessage = { readonly index: number; readonly fault?: string }

/** Each trial follows from the seed and its number alone, so that one can be made again. */
function faultAt({ subject, seed }: Omit<FuzzTask, 'from' | 'to'>, index: number) {
  const random = createRandom(seed * 1_000_003 + index)
  return subject === 'scripts'
    ? faultOfScript(randomScript(random))
    : faultOf(subject.name, mutate(subject.bytes, random), subject.key)
}

if (parentPort !== null) {
  const port = parentPort
  const { subject: given, seed, from, to } = workerData as FuzzTask
  const subject = given === 'scripts' ? given : { ...given, bytes: Buffer.from(given.bytes) }
  for (let index = from; index < to; index++) {
    port.postMessage({ index } satisfies FuzzMessage)
    const fault = await faultAt({ subject, seed }, index)
    if (fault !== null) port.postMessage({ index, fault } satisfies FuzzMessage)
  }
  port.close()
}
