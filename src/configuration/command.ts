import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHider } from '../base/evidence/hide.ts'
import { createFingerprintKey, createSecrets } from '../base/evidence/secrets.ts'
import { isUsual } from '../base/given-environment.ts'
import { onOneLine } from '../base/printable.ts'
import { hasGroups, signalGroup } from '../base/signal-group.ts'

export interface CommandSurroundings {
  /** The folder in which commands run. */
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  /** How long a command may take. */
  readonly commandSeconds?: number
  /** Ends every command. */
  readonly signal?: AbortSignal
}

export type CommandOutcome = Output | CommandFailure

interface Output {
  readonly output: string
  /** What the command said on stderr, and how to find out more, as the end of a sentence. */
  readonly advice: string
}

interface CommandFailure {
  readonly failure: string
  /** Another try would fail as well. */
  readonly isFinal?: true
}

/** Exit codes of sysexits.h after which another try is of no use: EX_NOPERM and EX_CONFIG. */
const finalAdvice: Readonly<Record<number, string>> = {
  77: 'was refused (exit code 77): correct the user, the password or the fields that it sends',
  78: 'lacks a value (exit code 78): set the variables that it reads, such as a password, in .env',
}

/** Of what a command says on stderr. */
const longestSaid = 4096
/** Shorter values of variables are words and numbers. */
const shortestValue = 6
/** As much as fits into a sentence. */
const longestWords = 200
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
  return failed(`printed nothing, expected the credential on stdout${outcome.advice}`)
}

/**
 * Runs a shell command to its end, and returns what it prints, trimmed. It runs in a process group of its own, and the whole group is gone when this
 * returns. A failure is the end of a sentence that begins with the key. It never shows what the command printed, and of its last
 * words on stderr what is known to be harmless.
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
    detached: hasGroups,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killGroup = () => signalGroup(child.pid, 'SIGKILL')
  // Processes that the shell left in the background would hold the pipe open.
  child.once('exit', killGroup)
  const chunks: Buffer[] = []
  let size = 0
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > largestOutput) killGroup()
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-longestSaid)
  })
  const advice = () => `${lastWords(said, environment)}: run it by hand in ${directory} to see why`
  try {
    const [code, killedBy] = (await once(child, 'close', { signal: stop })) as [number | null, string | null]
    if (size > largestOutput) return failed('printed more than 64 KiB, expected less')
    if (code === null) return failed(`was terminated by ${killedBy}, expected exit code 0${advice()}`)
    const final = finalAdvice[code]
    if (final !== undefined) return { ...failed(`${final}${advice()}`), isFinal: true }
    if (code !== 0) return failed(`exited with code ${code}, expected 0${advice()}`)
    return { output: Buffer.concat(chunks).toString().trim(), advice: advice() }
  } catch (error) {
    if (deadline.aborted) return failed(`did not exit within ${commandSeconds} s${advice()}`)
    if (signal?.aborted === true) return failed('was interrupted: run it again')
    return failed(`could not be started (${codeOf(error)}), expected a shell in ${directory}`)
  } finally {
    killGroup()
    child.stdout.destroy()
    child.stderr.destroy()
  }
}

function failed(what: string): CommandFailure {
  return { failure: `has a command that ${what}` }
}

function lastWords(said: string, environment: NodeJS.ProcessEnv): string {
  const line = said.trim().split('\n').at(-1) ?? ''
  if (line === '') return ''
  const secrets = createSecrets()
  for (const [name, value = ''] of Object.entries(environment))
    if (!isUsual(name) && value.length >= shortestValue) secrets.register('secret', value)
  const { text } = createHider({ secrets, fingerprintKey: createFingerprintKey() })
  return `, and said "${onOneLine(text(line)).slice(0, longestWords)}"`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
}
