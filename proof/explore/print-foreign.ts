import { exploreForeign, loadForeignServices } from '../foreign/foreign.ts'

// Explores each foreign service for a minute: written from the specification alone, it must not be accused.

const seconds = 60
const services = await loadForeignServices()
const explored = await Promise.all(
  (['backend', 'signaling'] as const).map(async (role) => ({
    role,
    checks: await exploreForeign(services, role, { seed: 1, seconds }),
  })),
)
let accusations = 0
for (const { role, checks } of explored) {
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
