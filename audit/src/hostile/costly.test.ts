import { expect, test } from 'vitest'
import { containerFormats } from '../containers/registry.ts'
import { auditInMemory } from '../engine/audit-in-memory.ts'
import { failed } from '../engine/or-gap.ts'
import { auditedFormats, formatOf } from '../formats/registry.ts'
import { costlyContainers } from '../testing/costly/containers.ts'
import { costlyEncodings } from '../testing/costly/encodings.ts'
import { costlyFormats } from '../testing/costly/formats.ts'
import { cpuSeconds } from '../testing/cpu-seconds.ts'
import { hostileTexts } from '../testing/hostile-texts.ts'

/** The proof of hostile input reads each of them in several sizes, in a process of its own. */
const size = 128 * 1024
/** Every file has encodings looked for in it: these need no more to be slow. */
const sizeOfEncoded = 32 * 1024
/**
 * The bound that is documented for 1 MB. The slowest of these take 1.5 s by themselves, since an archive of any size may
 * unpack to 64 MB: a busy machine and the test runner double that.
 */
const mostSeconds = 5

const groups = { ...costlyContainers, ...costlyFormats, encoding: costlyEncodings }
const all = Object.entries(groups).flatMap(([format, files]) =>
  Object.entries(files).map(([title, costly]) => [`${format}: ${title}`, costly] as const),
)

test.each(all)('%s: neither stall an audit nor end it', async (name, { file, bytes }) => {
  const content = bytes(name.startsWith('encoding: ') ? sizeOfEncoded : size)
  let result: Awaited<ReturnType<typeof auditInMemory>> | undefined
  const cost = await cpuSeconds(async () => {
    result = await auditInMemory({ location: file, name: file, bytes: content })
  })
  expect(cost).toBeLessThan(mostSeconds)
  expect(result?.gaps.filter(({ reason }) => reason.startsWith(failed))).toEqual([])
})

test('every format that is opened has costly files', () => {
  const opened = containerFormats.filter(({ opens }) => opens !== 'gap').map(({ name }) => name)
  expect(opened.filter((name) => costlyContainers[name] === undefined)).toEqual([])
})

test('every format that is read has costly files or texts', () => {
  const texts = Object.values(hostileTexts).map(
    ({ file, text }) => formatOf(file, Buffer.from(text(64 * 1024))).name,
  )
  const known = new Set([...Object.keys(costlyFormats), ...texts])
  expect(auditedFormats.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
})
