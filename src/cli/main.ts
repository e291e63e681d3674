#!/usr/bin/env node
import { start } from './start.ts'

await start('twotoken', async () => {
  if (process.argv[2] === 'audit') return (await import('./audit-program.ts')).mainOfAudit
  return (await import('./program.ts')).main
})
