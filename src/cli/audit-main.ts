#!/usr/bin/env node
import { start } from './start.ts'

// The command of the package twotoken-audit, which audit/package builds.
await start('twotoken-audit', async () => (await import('./audit-program.ts')).main)
