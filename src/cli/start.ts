import { interruptedExitCode } from '../base/errors.ts'
import { version } from '../base/version.ts'

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

/** As in `engines` of package.json; a test compares the two. */
const oldest = [
  [22, 22],
  [24, 0],
] as const

/** Why this version of Node cannot run the command; null where it can. */
export function unsupportedNode(version: string): string | null {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [newestMajor] = oldest[oldest.length - 1] ?? [0]
  const isSupported = major > newestMajor || oldest.some(([one, least]) => major === one && minor >= least)
  if (isSupported) return null
  return `needs Node ${oldest.map((known) => known.join('.')).join(' or ')} or later, but this is Node ${version}; install a newer version`
}
