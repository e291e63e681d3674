#!/usr/bin/env node
import { start } from './start.ts'

await start('twotoken', async () => (await import('./program.ts')).main)
