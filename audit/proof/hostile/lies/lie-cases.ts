import { join } from 'node:path'
import { makeTrials } from '../../trials.ts'
import type { HostileCase } from '../hostile-case.ts'
import { type LiesTask, nameOfLie } from './lies-of.ts'
import { truthfulFiles } from './samples.ts'

const program = join(import.meta.dirname, 'lies.worker.ts')

/** A prime: words of all widths and all values are among those that are taken. */
const stepOfSlice = 151

const every: HostileCase[] = Object.keys(truthfulFiles).map((format) => ({
  name: `lies: ${format}`,
  makes: `each field of a small file of ${format}, with numbers that are not true`,
  // Hermes has 66,000 lies of 7 ms each.
  seconds: 900,
  megabytes: 400,
  isInSlice: false,
  run: (notePeak) => tellLies({ formats: [format], step: 1 }, notePeak),
}))

/** Lies about small valid files: all of them format by format, and some about every format. */
export const lieCases: readonly HostileCase[] = [
  ...every,
  {
    name: 'lies: some about every format',
    makes: `one of ${stepOfSlice} lies about each format`,
    seconds: 30,
    megabytes: 400,
    isInSlice: true,
    run: (notePeak) => tellLies({ formats: Object.keys(truthfulFiles), step: stepOfSlice }, notePeak),
  },
]

/** @throws Error with the first faults */
async function tellLies(task: LiesTask, notePeak: (megabytes: number) => void): Promise<void> {
  const { faults, megabytes } = await makeTrials({ program, task })
  notePeak(megabytes)
  const named = faults.slice(0, 8).map(({ index, fault }) => `${nameOfLie(task, index)}: ${fault}`)
  if (faults.length > 0) throw new Error(`${faults.length} faults: ${named.join('; ')}`)
}
