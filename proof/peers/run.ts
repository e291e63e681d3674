import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../fixtures/package/run-program.ts'

// `npm run proof -- peers`: what packages of others say of this one. They are installed in this folder alone.

const here = import.meta.dirname
const installed = await runProgram('npm ci --prefix proof/peers --no-audit --no-fund', [])
if (installed !== 0) process.exit(installed)
// Adapters of the examples find the packages in the folder above them, as in a user's project.
await cp(join(here, '../../examples'), join(here, 'node_modules/examples'), { recursive: true })
for (const program of ['tsc --noEmit -p proof/peers', 'vitest run --config proof/peers/vitest.config.ts']) {
  const args = program.startsWith('vitest') ? process.argv.slice(2) : []
  process.exitCode = await runProgram(program, args)
  if (process.exitCode !== 0) break
}
