#!/usr/bin/env node
import { start } from './start.ts'

// The command of the package twotoken-audit, which audit/package builds.
await start('twotoken-audit', async () => {
  const { startReading } = await import('./start-reading.ts')
  startReading(process.argv.slice(2))
  return (await import('./audit-program.ts')).main
})
