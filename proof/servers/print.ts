import { loadCatalogue } from '../../src/catalogue/load-requirements.ts'
import { detectServer, foreignServers, judgeByExample } from './servers.ts'

// Every server that others wrote is detected, and judged by the example that is shipped for it.
const [only] = process.argv.slice(2)
const checks = (await loadCatalogue()).filter(({ role }) => role === 'signaling')
let accused = 0
let judged = 0
for (const [name, start] of Object.entries(foreignServers)) {
  if (only !== undefined && only !== name) continue
  try {
    await using server = await start()
    const { signaling } = await detectServer(name, server)
    const found = 'found' in signaling ? JSON.stringify(signaling.found.profile) : signaling.missing
    process.stdout.write(`${name}\n  detected: ${found}\n`)
    for (const { id, verdict, reason, findings } of await judgeByExample(name, server, checks)) {
      judged += 1
      const isAccused = verdict === 'fail' || verdict === 'error'
      if (isAccused) accused += 1
      const why = [reason, ...findings.map(({ message }) => message)].filter((text) => text !== null)
      process.stdout.write(`  ${verdict.padEnd(14)} ${id}  ${why.join('; ').slice(0, 200)}\n`)
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
process.stdout.write(`${judged} verdicts, ${accused} accusations\n`)
if (accused > 0 || judged === 0) process.exitCode = 1
