#!/usr/bin/env node
import { start } from './start.ts'

await start('twotoken', async () => {
  const [command, ...args] = process.argv.slice(2)
  if (command === 'audit') {
    const { startReading } = await import('./start-reading.ts')
    startReading(args)
    return (await import('./audit-program.ts')).mainOfAudit
  }
  return (await import('./program.ts')).main
})
