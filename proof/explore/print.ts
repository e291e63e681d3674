import { parseArgs } from 'node:util'
import type { DeepVariant } from '../../fixtures/explore/deep-variant.ts'
import { deepBackends } from '../../fixtures/explore/variants/backend.ts'
import { deepMints } from '../../fixtures/explore/variants/mint.ts'
import { deepSignalings } from '../../fixtures/explore/variants/signaling.ts'
import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import { type ExploredRole, exploredRoles } from '../../src/requirement/explored-roles.ts'
import type { CheckResult } from '../../src/requirement/run.ts'
import { proveUnaccused } from '../variants/prove.ts'
import { exploreVariant, findStory } from './prove-found.ts'

// Finds every fault that only a sequence shows, and accuses no conforming variant: npm run proof -- stories NAME.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '2' },
    /** So long each conforming variant is explored. */
    seconds: { type: 'string', default: '10' },
  },
})

const deepVariants: Readonly<Record<ExploredRole, Readonly<Record<string, DeepVariant>>>> = {
  mint: deepMints,
  backend: deepBackends,
  signaling: deepSignalings,
}
const isAsked = (name: string) => positionals.length === 0 || positionals.some((text) => name.includes(text))
const seeds = values.seeds.split(',').map(Number)
let gaps = 0

for (const role of exploredRoles)
  for (const [title, deep] of Object.entries(deepVariants[role])) {
    const name = `${role}/${title}`
    if (!isAsked(name)) continue
    const catching = await listCatching(role, deep)
    report(
      catching.length === 0,
      `${name}: ${catching.length === 0 ? 'no fixed requirement catches it' : catching.join(', ')}`,
      [],
    )
    for (const seed of seeds) {
      const { checks, seconds } = await findStory(role, deep, { seed, minutes: Number(values.minutes) })
      const own = checks.filter(({ id, verdict }) => id === deep.breaks && verdict !== 'pass')
      report(
        Number.isFinite(seconds),
        `${name}, seed ${seed}: ${deep.breaks} after ${seconds.toFixed(1)} s`,
        own,
      )
    }
  }

const { conforming } = await loadVariants()
for (const role of exploredRoles)
  for (const [name, { variant }] of conforming) {
    if (!name.startsWith(role) || !isAsked(name)) continue
    const milliseconds = Number(values.seconds) * 1000
    const checks = await exploreVariant(role, variant, { seed: seeds[0] ?? 1, milliseconds })
    // Limits of a service or a driver leave some invariants untested.
    const accused = checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'untested')
    report(accused.length === 0, `${name}, explored for ${values.seconds} s`, accused)
  }
process.exitCode = gaps === 0 ? 0 : 1

/** The fixed requirements that catch a deep variant: there should be none. */
async function listCatching(role: ExploredRole, { variant, restart }: DeepVariant): Promise<string[]> {
  restart()
  const cells = await proveUnaccused(await loadCatalogue([role, 'flow']), 'deep', { variant })
  restart()
  return cells
    .filter(({ result: { verdict } }) => verdict === 'fail' || verdict === 'warn')
    .map(({ requirement, result: { verdict } }) => `${requirement} ${verdict}`)
}

function report(isOk: boolean, text: string, checks: readonly CheckResult[]): void {
  if (!isOk) gaps += 1
  process.stdout.write(`${isOk ? 'ok ' : 'GAP'} ${text}\n`)
  for (const { id, verdict, reason, findings, story } of checks) {
    process.stdout.write(`    ${id} ${verdict} ${reason ?? findings[0]?.message ?? ''}\n`)
    for (const { did, came } of story?.told ?? [])
      process.stdout.write(`        ${did} → ${came.join('; ')}\n`)
  }
}
