import { parseArgs } from 'node:util'
import { loadVariants } from '../../src/catalogue/load-variants.ts'
import { exploredRoles } from '../../src/requirement/explored-roles.ts'
import { exploreVariant } from './prove-found.ts'

// Explores every conforming variant: node proof/explore/print-conforming.ts.

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, seconds: { type: 'string', default: '10' } },
})

const { conforming } = await loadVariants()
let accusations = 0
for (const role of exploredRoles)
  for (const [name, { variant }] of conforming) {
    if (!name.startsWith(`${role}`) || !positionals.every((text) => name.includes(text))) continue
    const checks = await exploreVariant(role, variant, {
      seed: Number(values.seed),
      milliseconds: Number(values.seconds) * 1000,
    })
    // Limits of a service or a driver leave some invariants untested.
    const accused = checks.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'untested')
    if (accused.length > 0) accusations += 1
    process.stdout.write(
      `${accused.length === 0 ? 'ok ' : 'GAP'} ${name} ${JSON.stringify(checks[0]?.observations)}\n`,
    )
    for (const { id, verdict, reason, findings, story } of accused) {
      process.stdout.write(`    ${id} ${verdict} ${reason ?? findings[0]?.message ?? ''}\n`)
      for (const { did, came } of story?.told ?? [])
        process.stdout.write(`        ${did} → ${came.join('; ')}\n`)
    }
  }
process.exitCode = accusations === 0 ? 0 : 1
