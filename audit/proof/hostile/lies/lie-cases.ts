import type { HostileCase } from '../hostile-case.ts'
import { faultOfLie } from './fault-of-lie.ts'
import { liesAbout } from './lies.ts'
import { type TruthfulFile, truthfulFiles } from './samples.ts'

/** A prime: words of all widths and all values are among those that are taken. */
const stepOfSlice = 151

const every: HostileCase[] = Object.entries(truthfulFiles).map(([format, files]) => ({
  name: `lies: ${format}`,
  makes: `each field of a small file of ${format}, with numbers that are not true`,
  seconds: 300,
  megabytes: 400,
  isInSlice: false,
  run: () => tellLies(files(), 1),
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
    async run() {
      for (const files of Object.values(truthfulFiles)) await tellLies(files(), stepOfSlice)
    },
  },
]

/** @throws Error with the first faults */
async function tellLies(files: readonly TruthfulFile[], step: number): Promise<void> {
  const faults: string[] = []
  for (const file of files) {
    let index = 0
    for (const lie of liesAbout(file.bytes)) {
      if (index++ % step !== 0) continue
      const fault = await faultOfLie(file, lie)
      if (fault !== null) faults.push(`${file.name}, ${lie.bytes.toString('hex')} at ${lie.at}: ${fault}`)
    }
  }
  if (faults.length > 0) throw new Error(`${faults.length} faults: ${faults.slice(0, 8).join('; ')}`)
}
