import { exploreForeign, loadForeignServices } from '../foreign.ts'

// Explores each foreign service for some seconds: written from the specification alone, it must not be accused.

const seconds = 10
const services = await loadForeignServices()
let accusations = 0
for (const role of ['backend', 'signaling'] as const) {
  const checks = await exploreForeign(services, role, { seed: 1, seconds })
  const accused = checks.filter(({ verdict }) => verdict !== 'pass')
  if (accused.length > 0 || checks.length === 0) accusations += 1
  const told = JSON.stringify(checks[0]?.observations)
  process.stdout.write(`${accused.length === 0 ? 'ok ' : 'GAP'} ${role} ${told}\n`)
  for (const { id, verdict, reason, findings, story } of accused) {
    process.stdout.write(`    ${id} ${verdict} ${reason ?? findings[0]?.message ?? ''}\n`)
    for (const { did, came } of story?.told ?? [])
      process.stdout.write(`        ${did} → ${came.join('; ')}\n`)
  }
}
process.exitCode = accusations === 0 ? 0 : 1
