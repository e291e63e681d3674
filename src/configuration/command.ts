import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createHider } from '../base/evidence/hide.ts'
import { createFingerprintKey, createSecrets } from '../base/evidence/secrets.ts'
import { isUsual } from '../base/given-environment.ts'
import { onOneLine } from '../base/printable.ts'
import { hasGroups, signalGroup } from '../base/signal-group.ts'
import { readEnvFile } from './env-file.ts'

export interface CommandSurroundings {
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly commandSeconds?: number
  readonly signal?: AbortSignal
}

interface CommandUse {
  /** Nothing that it prints is needed; otherwise it prints a credential. */
  readonly mayBeSilent?: true
  readonly input?: string
  /** Its exit leaves what it started in the background, which keeps stderr: that is ignored. */
  readonly startsServices?: true
}

export type CommandOutcome = { readonly output: string } | CommandFailure

interface CommandFailure {
  readonly failure: string
  /** Another try would fail as well. */
  readonly isFinal?: true
}

/** Exit codes of sysexits.h after which another try is of no use: EX_NOPERM and EX_CONFIG. */
const finalCodes: Readonly<Record<number, { readonly what: string; readonly advice: string }>> = {
  77: { what: 'was refused', advice: 'correct the user, the password or the fields that it sends' },
  78: { what: 'lacks a value', advice: 'set the variables that it reads, such as a password, in .env' },
}

const longestSaid = 4096
/** Far above any credential, far below what would hurt. */
const largestOutput = 65_536

/**
 * Runs a shell command to its end, and returns what it prints. Its process group is gone then, unless it starts services.
 * A failure ends a sentence that begins with the key; it shows no stdout, and masks the last line of stderr.
 */
export async function runCommand(
  command: string,
  surroundings: CommandSurroundings & CommandUse,
): Promise<CommandOutcome> {
  const { directory, environment, commandSeconds = 10, signal, input, startsServices } = surroundings
  const deadline = AbortSignal.timeout(commandSeconds * 1000)
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
  const child = spawn(command, {
    shell: true,
    cwd: directory,
    env: environment,
    detached: hasGroups,
    stdio: ['pipe', 'pipe', startsServices === true ? 'ignore' : 'pipe'],
  })
  const killGroup = () => signalGroup(child.pid, 'SIGKILL')
  // Processes that the shell left in the background would hold the pipe open.
  if (startsServices !== true) child.once('exit', killGroup)
  // A command that reads nothing closes the pipe: no failure.
  child.stdin?.on('error', () => undefined).end(input)
  const chunks: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > largestOutput) killGroup()
  })
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-longestSaid)
  })
  const byHand = `run it by hand in ${directory} to see why`
  const failedBy = async (what: string, expected = '', advice = byHand) =>
    failed(`${what}${await lastWords(said, surroundings)}${expected}: ${advice}`)
  try {
    const [code, killedBy] = (await once(child, 'close', { signal: stop })) as [number | null, string | null]
    if (size > largestOutput) return failed('printed more than 64 KiB, expected less')
    if (code === null) return await failedBy(`was terminated by ${killedBy}`, ', expected exit code 0')
    const final = finalCodes[code]
    if (final !== undefined)
      return { ...(await failedBy(`${final.what} (exit code ${code})`, '', final.advice)), isFinal: true }
    if (code !== 0) return await failedBy(`exited with code ${code}`, ', expected 0')
    const output = Buffer.concat(chunks).toString().trim()
    if (output !== '' || surroundings.mayBeSilent === true) return { output }
    return await failedBy('printed nothing', ', expected the credential on stdout')
  } catch (error) {
    killGroup()
    if (deadline.aborted) return await failedBy(`did not exit within ${commandSeconds} s`)
    if (signal?.aborted === true) return failed('was interrupted: run it again')
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
    return failed(`could not be started (${code}), expected a shell in ${directory}`)
  } finally {
    child.stdout?.destroy()
    child.stderr?.destroy()
  }
}

function failed(what: string): CommandFailure {
  return { failure: `has a command that ${what}` }
}

/** Shorter values of variables are numbers and flags. */
const shortestValue = 4
/** As much as fits into a sentence. */
const longestWords = 200
/** Stands for the value of a variable while the rest is masked. */
const mark = '\uE000'

/** The last line of stderr as ` and said "…"`, without the values of variables and what is not known to be harmless. */
async function lastWords(
  said: string,
  { directory, environment }: { readonly directory: string; readonly environment: NodeJS.ProcessEnv },
): Promise<string> {
  const line = said.trim().split('\n').at(-1) ?? ''
  if (line === '') return ''
  const { values } = await readEnvFile(directory, environment)
  const hidden = Object.entries(values)
    .flatMap(([name, value = '']) => (isUsual(name) || value.length < shortestValue ? [] : [value]))
    .toSorted((one, other) => other.length - one.length)
  const marked = hidden.reduce((text, value) => text.replaceAll(value, () => mark), line.replaceAll(mark, ''))
  const { text } = createHider({ secrets: createSecrets(), fingerprintKey: createFingerprintKey() })
  const shown = marked
    .split(mark)
    .map((part) => text(part))
    .join('‹a variable›')
  return ` and said "${onOneLine(shown).slice(0, longestWords)}"`
}
