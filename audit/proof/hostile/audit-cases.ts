import { basename, dirname } from 'node:path'
import { auditPaths } from '../../src/engine/audit.ts'
import { failed } from '../../src/engine/or-gap.ts'
import { costlyContainers } from '../../src/testing/costly/containers.ts'
import type { CostlyFile, CostlyFiles } from '../../src/testing/costly/costly-file.ts'
import { costlyEncodings } from '../../src/testing/costly/encodings.ts'
import { costlyFormats } from '../../src/testing/costly/formats.ts'
import { hostileTexts } from '../../src/testing/hostile-texts.ts'
import { largestGrowth, slowestGrowth } from './growth.ts'
import type { HostileCase, HostileInput } from './hostile-case.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte
/** Sizes whose times are compared. */
const growing = [64, 256, 1024].map((size) => size * kilobyte)

const texts: CostlyFiles = Object.fromEntries(
  Object.entries(hostileTexts).map(([title, { file, text }]) => [
    title,
    { file, bytes: (size) => Buffer.from(text(size)) },
  ]),
)

/** Inputs that once took minutes, or for ever: one of each cause. */
const known = new Set([
  'tar: a size below zero',
  'arsc: packages that reach past what they are in',
  'dex: lengths without an end',
  'dex: arrays in arrays',
  'binary-xml: attributes without a size',
  'mach-o: segments that have all sections of the file',
  'sqlite: pages that have more cells than fit',
  'zip: one entry many times, with a wrong size',
  'asset catalogue: one rendition many times, with a wrong checksum',
  'text: a handler of errors, and blanks',
  'text: backslashes behind an escape',
  'text: half a prefix in hexadecimal',
])

/** Inputs that once took more than 400 MB, the last of them 2.5 GB. */
const knownLarge = new Set([
  'text: backslashes behind an escape',
  'text: short escapes in a script',
  'text: additions to many names',
  'zip: entries without a size or an end',
])

export const auditCases: readonly HostileCase[] = Object.entries({
  ...costlyContainers,
  ...costlyFormats,
  encoding: costlyEncodings,
  text: texts,
}).flatMap(([format, files]) =>
  Object.entries(files).flatMap(([title, costly]) => casesOf(`${format}: ${title}`, costly)),
)

function casesOf(name: string, costly: CostlyFile): HostileCase[] {
  const makes = `${costly.file}, ${name}`
  const isInSlice = known.has(name)
  const input = (size: number): HostileInput => ({ file: costly.file, bytes: () => costly.bytes(size) })
  const readAll: HostileCase['run'] = async (_, paths) => {
    for (const path of paths) await audit(path)
  }
  return [
    {
      name: `${name}, 1 MB`,
      makes,
      seconds: 5,
      megabytes: 400,
      isInSlice,
      inputs: [input(megabyte)],
      run: readAll,
    },
    {
      name: `${name}, 20 MB`,
      makes,
      seconds: 20,
      megabytes: 400,
      isInSlice: knownLarge.has(name),
      inputs: [input(20 * megabyte)],
      run: readAll,
    },
    {
      name: `${name}, growth`,
      makes,
      seconds: 30,
      megabytes: 400,
      isInSlice,
      inputs: growing.map(input),
      async run(_, paths) {
        const growth = await slowestGrowth(growing, (size) => () => audit(paths[growing.indexOf(size)] ?? ''))
        if (growth > largestGrowth)
          throw new Error(`time grows by ${growth.toFixed(1)} for a doubling; ${largestGrowth} is the most`)
      },
    },
  ]
}

/** As the command reads it: in a thread. Its bounds of time and memory are above those of a case, and hide nothing. */
async function audit(path: string): Promise<void> {
  const { gaps } = await auditPaths([basename(path)], dirname(path))
  const failure = gaps.find(({ reason }) => reason.startsWith(failed))
  if (failure !== undefined) throw new Error(failure.reason)
}
