import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface CommandSurroundings {
  /** The folder in which commands run. */
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  /** How long a command may take. */
  readonly commandSeconds?: number
  /** Ends every command. */
  readonly signal?: AbortSignal
}

type CommandOutcome = { readonly output: string } | CommandFailure

interface CommandFailure {
  readonly failure: string
  /** Another try would fail as well. */
  readonly isFinal?: true
}

/** `EX_NOPERM` of sysexits.h: the program was understood and refused, so that another try is of no use. */
const refusedCode = 77
/** `EX_CONFIG` of sysexits.h: a variable that the program reads is not set. */
const unconfiguredCode = 78

/** Far above any credential, far below what would hurt. */
const largestOutput = 65_536

/**
 * Returns the output of a shell command, trimmed. It is a credential, so that empty output is a failure, as
 * in `runCommand`.
 */
export async function commandOutput(
  command: string,
  surroundings: CommandSurroundings,
): Promise<CommandOutcome> {
  const outcome = await runCommand(command, surroundings)
  if (!('output' in outcome) || outcome.output !== '') return outcome
  const advice = `run it by hand in ${surroundings.directory} to see why`
  return { failure: `has a command that printed nothing, expected the credential on stdout: ${advice}` }
}

/**
 * Runs a shell command to its end, and returns what it prints, trimmed. It runs in a process group of its own, and the whole group is gone when this
 * returns. A failure is the end of a sentence that begins with the key, and never shows what the command printed.
 */
export async function runCommand(
  command: string,
  { directory, environment, commandSeconds = 10, signal }: CommandSurroundings,
): Promise<CommandOutcome> {
  const deadline = AbortSignal.timeout(commandSeconds * 1000)
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
  const child = spawn(command, {
    shell: true,
    cwd: directory,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const killGroup = () => kill(child.pid)
  // Processes that the shell left in the background would hold the pipe open.
  child.once('exit', killGroup)
  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > largestOutput) killGroup()
  })
  const byHand = `run it by hand in ${directory} to see why`
  const advice = `: ${byHand}`
  try {
    const [code, killedBy] = (await once(child, 'close', { signal: stop })) as [number | null, string | null]
    if (size > largestOutput) return { failure: 'has a command that printed more than 64 KiB, expected less' }
    if (code === null)
      return { failure: `has a command that was terminated by ${killedBy}, expected exit code 0${advice}` }
    if (code === refusedCode)
      return {
        failure: `has a command that was refused (exit code ${refusedCode}): correct the user, the password or the fields that it sends, or ${byHand}`,
        isFinal: true,
      }
    if (code === unconfiguredCode)
      return {
        failure: `has a command that lacks a value (exit code ${unconfiguredCode}): set the variables that it reads, such as a password, in .env, or ${byHand}`,
        isFinal: true,
      }
    if (code !== 0) return { failure: `has a command that exited with code ${code}, expected 0${advice}` }
    return { output: Buffer.concat(chunks).toString().trim() }
  } catch (error) {
    if (deadline.aborted)
      return {
        failure: `has a command that did not exit within ${commandSeconds} s${advice}`,
      }
    if (signal?.aborted === true) return { failure: 'has a command that was interrupted: run it again' }
    return {
      failure: `has a command that could not be started (${codeOf(error)}), expected a shell in ${directory}`,
    }
  } finally {
    killGroup()
    child.stdout.destroy()
  }
}

/** Ends a process group; one that is gone already is what was wanted. */
function kill(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // EPERM: macOS says so of a group that has ended but is not collected yet.
    if (!['ESRCH', 'EPERM'].includes(codeOf(error))) throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
