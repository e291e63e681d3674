#!/usr/bin/env node
import { version } from '../base/version.ts'
import { unsupportedNode } from './supported-node.ts'

const unsupported = unsupportedNode(process.versions.node)
const withCredential = /^--(?:broker-token|credential|like)\b/
// Other users could read a credential in the list of processes.
if (process.argv.some((argument) => withCredential.test(argument))) process.title = 'twotoken'

if (unsupported !== null) {
  process.stderr.write(`twotoken: ${unsupported}\n`)
  process.exitCode = 2
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  // Answered before anything is loaded: editors and scripts call it often.
  process.stdout.write(`${version}\n`)
} else {
  await import('../base/async-disposable-stack.ts')
  const { main } = await import('./program.ts')
  process.exitCode = await main(process.argv.slice(2))
  // After an interruption the process does not wait for open handles.
  if (process.exitCode === 130) process.exit()
}
