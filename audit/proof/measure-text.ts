import { readFileSync, writeFileSync } from 'node:fs'
import { auditInMemory } from '../src/engine/audit-in-memory.ts'
import { failed } from '../src/engine/or-gap.ts'
import { collectGarbage } from '../src/model/garbage.ts'
import { hostileTexts } from '../src/testing/hostile-texts.ts'

/** Cost of auditing one text in a separate process, since memory is counted for the whole process. */
export interface TextCost {
  readonly cpuSeconds: number
  readonly megabytes: number
  readonly failures: readonly string[]
}

const [name = '', size = ''] = process.argv.slice(2)
const hostile = hostileTexts[name]
if (hostile !== undefined) {
  const bytes = Buffer.from(hostile.text(Number(size)))
  collectGarbage()
  // Linux forgets the peak: making the text is no cost of its audit.
  writeFileSync('/proc/self/clear_refs', '5')
  const before = process.cpuUsage()
  const { gaps } = await auditInMemory({ location: hostile.file, name: hostile.file, bytes })
  const { user, system } = process.cpuUsage(before)
  const [, peak] = /VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  process.stdout.write(
    JSON.stringify({
      cpuSeconds: (user + system) / 1_000_000,
      megabytes: Number(peak) / 1024,
      failures: gaps.map(({ reason }) => reason).filter((reason) => reason.startsWith(failed)),
    } satisfies TextCost),
  )
}
