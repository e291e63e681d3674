import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hostileTexts } from '../src/testing/hostile-texts.ts'
import type { TextCost } from './measure-text.ts'

/** Cost of one hostile text of a megabyte, and its faults. */
export interface TextRun {
  readonly name: string
  readonly cpuSeconds: number
  readonly megabytes: number
  readonly faults: readonly string[]
}

const size = 1024 * 1024
const mostSeconds = 5
const mostMegabytes = 400
/** How long a text may take before it counts as a hang. */
const patienceMs = 120_000

const run = promisify(execFile)

/** Audits each of the hostile texts in a process of its own. */
export async function auditTexts(log: (text: string) => void): Promise<TextRun[]> {
  const runs: TextRun[] = []
  for (const name of Object.keys(hostileTexts)) {
    const one = await auditText(name)
    for (const fault of one.faults) log(`${name}: ${fault}`)
    runs.push(one)
  }
  return runs
}

async function auditText(name: string): Promise<TextRun> {
  const program = join(import.meta.dirname, 'measure-text.ts')
  try {
    const { stdout } = await run(process.execPath, [program, name, String(size)], { timeout: patienceMs })
    const { cpuSeconds, megabytes, failures } = JSON.parse(stdout) as TextCost
    const faults = [
      ...failures,
      ...(cpuSeconds > mostSeconds ? [`slow: ${cpuSeconds.toFixed(1)} s`] : []),
      ...(megabytes > mostMegabytes ? [`large: ${megabytes.toFixed(0)} MB`] : []),
    ]
    return { name, cpuSeconds, megabytes, faults }
  } catch (error) {
    const reason =
      (error as Error).message.split('\n').find((line) => /error|memory/i.test(line)) ?? 'no answer'
    return { name, cpuSeconds: 0, megabytes: 0, faults: [`crash or hang: ${reason}`] }
  }
}
