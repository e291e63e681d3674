/**
 * The processor of a script for Artillery (`twotoken/artillery`): each of its virtual users is a user of the storm. A processor is found
 * by its path on any machine, while an engine has to be a package of a certain name.
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadConfiguration } from '../../configuration/load.ts'
import { type HandedOver, handedOver, partFile, partPrefix } from '../../storm/hand-over.ts'
import { assertAllowed, type StormPlan } from '../../storm/plan.ts'
import { beginStorm, readTally, runUser, type Storm } from '../../storm/storm.ts'
import { openTarget } from '../../storm/target.ts'

const writeEveryMs = 2_000
const id = randomUUID()
let storm: Promise<Storm> | undefined
let underWay = 0

/** @param context of Artillery, with the plan among its variables */
export async function stormUser(context: {
  readonly vars: Readonly<Record<string, unknown>>
}): Promise<void> {
  const text = process.env[handedOver]
  const given: HandedOver | undefined = text === undefined ? undefined : JSON.parse(text)
  underWay += 1
  try {
    storm ??= openStorm(JSON.parse(String(context.vars['plan'])), given)
    await runUser(await storm)
  } finally {
    underWay -= 1
    if (underWay === 0 && storm !== undefined) writePart(await storm, given)
  }
}

async function openStorm(plan: StormPlan, given: HandedOver | undefined): Promise<Storm> {
  const file = resolve(process.env['TWOTOKEN_CONFIG'] ?? 'twotoken.yaml')
  const configuration = given?.configuration ?? (await loadConfiguration(file, process.env))
  assertAllowed(plan, configuration)
  const seed = Number.parseInt(id.slice(0, 8), 16)
  const opened = await beginStorm(await openTarget(configuration, { seed, environment: process.env }), plan)
  // An interrupted command has the figures so far.
  if (given !== undefined) setInterval(() => writePart(opened, given), writeEveryMs).unref()
  return opened
}

function writePart(opened: Storm, given: HandedOver | undefined): void {
  const text = JSON.stringify({ ...readTally(opened), id })
  if (given === undefined) process.stdout.write(`${partPrefix}${text}\n`)
  else writeFileSync(join(given.partsFolder, `${partFile}${id}.json`), text)
}
