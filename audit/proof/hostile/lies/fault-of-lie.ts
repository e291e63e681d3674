import { auditInMemory } from '../../../src/engine/audit-in-memory.ts'
import { failed } from '../../../src/engine/or-gap.ts'
import type { Finding } from '../../../src/model/finding.ts'
import { fingerprintOf } from '../../../src/model/fingerprint.ts'
import { cpuSeconds } from '../../../src/testing/cpu-seconds.ts'
import { type Lie, told } from './lies.ts'
import { formsOf, type TruthfulFile } from './samples.ts'

/** Limit of processor time for some kilobytes. */
const mostSeconds = 2

/** Gives the fault in the audit of a file with a lie; `null` where there is none. */
export async function faultOfLie(file: TruthfulFile, lie: Lie): Promise<string | null> {
  const { name } = file
  const bytes = told(lie, file.bytes)
  let result: Awaited<ReturnType<typeof auditInMemory>> | null = null
  const seconds = await cpuSeconds(async () => {
    result = await auditInMemory({ location: name, name, bytes })
  }).catch((error: unknown) => String(error))
  if (typeof seconds === 'string' || result === null) return `crash: ${seconds}`
  const { gaps, findings } = result as Awaited<ReturnType<typeof auditInMemory>>
  const failure = gaps.find(({ reason }) => reason.startsWith(failed))
  if (failure !== undefined) return failure.reason
  if (seconds > mostSeconds) return `slow: ${seconds.toFixed(1)} s of a processor`
  const isFound = gaps.length > 0 || findings.some((finding) => isOf(finding, file, bytes))
  return !isFound && isStillIn(file, lie) ? 'silent: its key is whole, and neither found nor in a gap' : null
}

/** A lie about a length may cut the key, so that only its place is as it was. */
function isOf({ kind, fingerprint, offset, length }: Finding, { key }: TruthfulFile, bytes: Buffer): boolean {
  if (kind !== 'key') return false
  if (fingerprint === fingerprintOf(key)) return true
  for (const form of formsOf(key))
    for (let at = bytes.indexOf(form); at !== -1; at = bytes.indexOf(form, at + 1))
      if (offset < at + form.length && offset + length > at) return true
  return false
}

function isStillIn({ kept }: TruthfulFile, { at, bytes: { length } }: Lie): boolean {
  return kept.every(([start, end]) => at + length <= start || at >= end)
}
