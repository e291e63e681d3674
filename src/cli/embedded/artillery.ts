/**
 * The processor of a script for Artillery (`twotoken/artillery`): each of its virtual users is a user of the storm.
 * `docs/decisions/processor-for-artillery.md` says why it is no engine.
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Configuration } from '../../configuration/configuration.ts'
import { loadConfiguration } from '../../configuration/load.ts'
import { beginStorm } from '../../storm/begin-storm.ts'
import { handOverVariable, partFile, partPrefix, receiveHandOver } from '../../storm/hand-over.ts'
import { assertAllowed, type StormPlan } from '../../storm/plan.ts'
import { runUser } from '../../storm/run-user.ts'
import { readTally, type Storm } from '../../storm/storm.ts'
import { openTarget } from '../../storm/target.ts'

const writeEveryMs = 2_000
const id = randomUUID()

interface Opened {
  readonly storm: Storm
  /** Null where the figures are printed. */
  readonly partsFolder: string | null
}

let opening: Promise<Opened> | undefined
let underWay = 0

/** @param context of Artillery, with the plan among its variables */
export async function stormUser(context: {
  readonly vars: Readonly<Record<string, unknown>>
}): Promise<void> {
  underWay += 1
  opening ??= open(JSON.parse(String(context.vars['plan'])))
  try {
    const { storm } = await opening
    await runUser(storm)
  } finally {
    underWay -= 1
    if (underWay === 0) writePart(await opening)
  }
}

async function open(plan: StormPlan): Promise<Opened> {
  const path = process.env[handOverVariable]
  if (path === undefined) {
    const file = resolve(process.env['TWOTOKEN_CONFIG'] ?? 'twotoken.yaml')
    return { storm: await begin(plan, await loadConfiguration(file, process.env)), partsFolder: null }
  }
  const { configuration, partsFolder } = await receiveHandOver(path)
  const opened = { storm: await begin(plan, configuration), partsFolder }
  // An interrupted command has the figures so far.
  setInterval(() => writePart(opened), writeEveryMs).unref()
  return opened
}

async function begin(plan: StormPlan, configuration: Configuration): Promise<Storm> {
  assertAllowed(plan, configuration)
  const seed = Number.parseInt(id.slice(0, 8), 16)
  return await beginStorm(await openTarget(configuration, { seed, environment: process.env }), plan)
}

function writePart({ storm, partsFolder }: Opened): void {
  const text = JSON.stringify({ ...readTally(storm), id })
  if (partsFolder === null) process.stdout.write(`${partPrefix}${text}\n`)
  else writeFileSync(join(partsFolder, `${partFile}${id}.json`), text)
}
