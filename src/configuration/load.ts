import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { TwotokenError } from '../base/errors.ts'
import { proxyOf } from '../base/http/proxy-settings.ts'
import { betweenLoginsMs } from '../base/times.ts'
import { isRecord } from '../base/tokens/decode.ts'
import { type TellWait, tellingWait } from '../base/told-wait.ts'
import type { CommandSurroundings } from './command.ts'
import { type Configuration, configurationSchema } from './configuration.ts'
import { configurationError, type Origin, type Problem, parseConfigurationText } from './document.ts'
import { readEnvFile } from './env-file.ts'
import { explain } from './explain.ts'
import { listCommands, type Obtained, obtainCredentials } from './obtain-credentials.ts'
import { changeValues, type KeyPath, pathKey, valueAt } from './path.ts'
import { isFilePath, openFields } from './places.ts'
import { listVariables, type Substituted, substitute } from './substitute.ts'

/** Where a configuration is at home: `directory` is absolute, `environment` answers `${NAME}`. */
interface Surroundings extends CommandSurroundings {
  /** Brings up what `start` names, before programs print credentials: they may ask it for them. The draft has none. */
  readonly bringUp?: (draft: Configuration) => Promise<unknown>
  readonly tellWait?: TellWait | undefined
}

/**
 * Reads `twotoken.yaml`, puts the environment and the credentials in, and makes its paths absolute.
 * @throws TwotokenError `configuration` or `credential`, with every problem on its own line
 */
export async function loadConfiguration(
  file: string,
  environment: NodeJS.ProcessEnv,
  options: Pick<Surroundings, 'signal' | 'commandSeconds' | 'bringUp' | 'tellWait'> = {},
): Promise<Configuration> {
  const { written, origin } = parseConfigurationText(await textOf(file), file)
  return resolveFrom(written, origin, { directory: dirname(resolve(file)), environment, ...options })
}

/** Resolves a configuration that was made in memory, with the rules of the file. */
export function resolveConfiguration(written: unknown, surroundings: Surroundings): Promise<Configuration> {
  return resolveFrom(written, { lineOf: () => 0 }, surroundings)
}

export async function variablesOf(
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<readonly { readonly name: string; readonly value: string }[]> {
  const { values } = await readEnvFile(dirname(resolve(file)), environment)
  return listVariables(await textOf(file)).map((name) => ({ name, value: values[name] ?? '' }))
}

/** The way of a file: the raw tree, its variables, its form, its commands, and its form again with what they print. */
async function resolveFrom(
  written: unknown,
  origin: Origin,
  surroundings: Surroundings,
): Promise<Configuration> {
  const { directory, environment, bringUp, tellWait = () => undefined } = surroundings
  const substituted = substitute(written, await readEnvFile(directory, environment))
  const { value, problems } = substituted
  const checked = configurationSchema.safeParse(value)
  const found = checked.success ? [] : explain(checked.error, substituted)
  // A value that could not be replaced has been named already.
  const isNamed = (found: KeyPath) =>
    problems.some(({ path }) => pathKey(found.slice(0, path.length)) === pathKey(path))
  const others = found.filter(({ path }) => !isNamed(path))
  refuse([...problems, ...others], origin)

  const commands = listCommands(value)
  const start = checked.data?.start
  const isToStart = start !== undefined && start.containers === undefined && commands.length > 0
  if (isToStart) await bringUp?.(conclude(value, substituted, origin, surroundings))
  const obtainedAt = Date.now()
  const longestMs =
    bringUp !== undefined && isToStart ? Math.min(betweenLoginsMs, start.readyTimeoutSeconds * 1000) : 0
  const credentials = await tellingWait(() => obtainPatiently(value, surroundings, longestMs), {
    what: 'running the programs that print credentials',
    longestMs,
    tell: tellWait,
  })
  refuse(credentials.problems, origin)
  const printed = commands
    .filter((path) => !openFields.has(String(path.at(-1))))
    .flatMap((path) => valueAt(credentials.value, path) ?? [])
  const configuration = conclude(credentials.value, substituted, origin, surroundings)
  return {
    ...configuration,
    backend: configuration.backend && withCommands(configuration.backend, value, obtainedAt),
    outsideTexts: [...new Set([...configuration.outsideTexts, ...printed.map(String)])],
  }
}

function refuse(problems: readonly Problem[], origin: Origin): void {
  if (problems.length > 0) throw configurationError(problems, origin)
}

/** The configuration of a raw tree, with its paths made absolute, and what the surroundings add. */
function conclude(
  value: unknown,
  { fromEnvironment, texts }: Substituted,
  origin: Origin,
  { directory, environment }: Surroundings,
): Configuration {
  const read = configurationSchema.safeParse(
    changeValues(value, (one, path) =>
      typeof one === 'string' && isFilePath(path) && !one.includes('://') ? resolve(directory, one) : one,
    ),
  )
  if (!read.success) throw configurationError(explain(read.error, { value, fromEnvironment }), origin)
  return {
    ...read.data,
    name: read.data.name ?? (basename(directory) || 'implementation'),
    directory,
    proxy: read.data.proxy ?? proxyOf(environment),
    referredVariables: [...new Set(fromEnvironment.values())].sort(),
    outsideTexts: texts,
  }
}

/** Runs failed programs once more where something was just started: it may not give sessions yet. */
async function obtainPatiently(
  value: unknown,
  surroundings: Surroundings,
  pauseMs: number,
): Promise<Obtained> {
  const first = await obtainCredentials(value, surroundings)
  if (first.problems.length === 0 || first.isFinal || pauseMs === 0) return first
  await delay(pauseMs, undefined, { signal: surroundings.signal })
  // Those that have printed one are not run once more.
  return await obtainCredentials(first.value, surroundings)
}

type Backend = NonNullable<Configuration['backend']>

/** A backend whose sessions know the commands that print them, where they end within a run or have ended. */
function withCommands({ sessions, ...backend }: Backend, written: unknown, obtainedAt: number): Backend {
  const printed = Object.entries(sessions).flatMap(([name, session]) => {
    const token = valueAt(written, ['backend', 'sessions', name, 'token'])
    return isRecord(token) && 'token' in session ? [[name, withCommand(session, token, obtainedAt)]] : []
  })
  return { ...backend, sessions: { ...sessions, ...Object.fromEntries(printed) } }
}

function withCommand(session: object, token: Readonly<Record<string, unknown>>, obtainedAt: number) {
  const command = String(token['command'])
  if (!('userId' in session)) return { ...session, command }
  const everySeconds = Number(token['freshEverySeconds'])
  return Number.isNaN(everySeconds) ? session : { ...session, renewal: { command, everySeconds, obtainedAt } }
}

async function textOf(file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw new TwotokenError(
      'configuration',
      `${file} cannot be read: ${reasons[cause.code ?? ''] ?? cause.code}`,
      cause,
    )
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new TwotokenError('configuration', `${file} is not UTF-8 text: save it as UTF-8`, cause)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist: create one with "npx twotoken init", or name another with --config',
  EISDIR: 'it is a folder: name the file in it',
  EACCES: 'permission denied: make the file readable',
}
