import { interruptedExitCode } from '../base/errors.ts'
import { version } from '../base/version.ts'
import { unsupportedNode } from './supported-node.ts'

const withCredential = /^--(?:broker-token|credential|like)\b/

/** Starts a command: an old Node gets one sentence and exit code 2, so only `load` imports what it does not support. */
export async function start(
  name: string,
  load: () => Promise<(argv: readonly string[]) => Promise<number>>,
): Promise<void> {
  const unsupported = unsupportedNode(process.versions.node)
  // Other users could read a credential in the list of processes.
  if (process.argv.some((argument) => withCredential.test(argument))) process.title = name

  if (unsupported !== null) {
    process.stderr.write(`${name}: ${unsupported}\n`)
    process.exitCode = 2
  } else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
    // Answered before anything is loaded: editors and scripts call it often.
    process.stdout.write(`${version}\n`)
  } else {
    await import('../base/async-disposable-stack.ts')
    const main = await load()
    process.exitCode = await main(process.argv.slice(2))
    // After an interruption the process does not wait for open handles.
    if (process.exitCode === interruptedExitCode) process.exit()
  }
}
