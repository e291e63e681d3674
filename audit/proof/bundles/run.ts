import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { auditPaths } from '../../src/audit/audit.ts'
import { type Bundler, buildApp, bundlersOf, type Form, forms, install } from './build.ts'

// `npm run proof -- bundles`: apps with popular packages, built by three bundlers. One with a guard passes, at little more
// cost than without it; in the same one a key in pieces is found.

/** CPU time of the program itself, and the factor by which a guard may raise the cost at most. */
const milliseconds = 100
const mostTimes = 3
const keysPlanted = 2

const { values } = parseArgs({ options: { packages: { type: 'string', default: '40' } } })
const count = Number(values.packages)
if (!Number.isInteger(count) || count < 1) {
  process.stderr.write('--packages is a whole number from 1 on\n')
  process.exit(2)
}

interface Audited {
  readonly keys: number
  readonly gaps: readonly string[]
  readonly milliseconds: number
}

async function audited(folder: string): Promise<Audited> {
  const before = process.cpuUsage()
  const { findings, gaps } = await auditPaths(['.'], folder)
  const { user, system } = process.cpuUsage(before)
  const errors = findings.filter(({ level }) => level === 'error')
  return {
    keys: errors.length,
    gaps: gaps.map(({ rule, reason }) => `${rule} ${reason}`),
    milliseconds: (user + system) / 1000,
  }
}

/** Lists the faults in the audit of the apps with one package; `null` where one of them cannot be built. */
async function faultsOf(bundler: Bundler, name: string): Promise<string[] | null> {
  const results = new Map<Form, Audited>()
  for (const form of Object.keys(forms) as Form[]) {
    const folder = await buildApp(bundler, name, form)
    if (folder === null) return null
    results.set(form, await audited(folder))
  }
  const [clean, guard, planted] = [results.get('clean'), results.get('guard'), results.get('planted')]
  if (clean === undefined || guard === undefined || planted === undefined) return null
  const faults = [...clean.gaps, ...guard.gaps].map((gap) => `a gap: ${gap}`)
  if (clean.keys + guard.keys > 0) faults.push('an error where there is no key')
  if (milliseconds + guard.milliseconds > mostTimes * (milliseconds + clean.milliseconds))
    faults.push(`${guard.milliseconds.toFixed(0)} ms with a guard, ${clean.milliseconds.toFixed(0)} without`)
  if (planted.keys < keysPlanted)
    faults.push(`${planted.keys} of ${keysPlanted} keys: ${planted.gaps.join()}`)
  return faults
}

const list = JSON.parse(await readFile(join(import.meta.dirname, 'packages.json'), 'utf8')) as {
  readonly packages: readonly string[]
}
const packages = list.packages.slice(0, count)
await install(packages)
let isFaulty = false
for (const bundler of bundlersOf()) {
  const unbuilt: string[] = []
  let apps = 0
  for (const name of packages) {
    const faults = await faultsOf(bundler, name)
    if (faults === null) unbuilt.push(name)
    else apps += 1
    for (const fault of faults ?? []) {
      isFaulty = true
      process.stdout.write(`${bundler.name}, ${name}: ${fault}\n`)
    }
  }
  process.stdout.write(`${bundler.name}: ${apps} apps; not built: ${unbuilt.join(', ') || 'none'}\n`)
}
process.exitCode = isFaulty ? 1 : 0
