import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { TwotokenError } from '../base/errors.ts'
import type { Configuration } from './configuration.ts'
import { parseConfigurationText } from './document.ts'
import { readEnvFile } from './env-file.ts'
import { resolveFrom, type Surroundings } from './resolve.ts'
import { listVariables } from './substitute.ts'

/**
 * Reads `twotoken.yaml`, puts the environment and the credentials in, and makes its paths absolute.
 * @throws TwotokenError `configuration` or `credential`, with every problem on a line of its own
 */
export async function loadConfiguration(
  file: string,
  environment: NodeJS.ProcessEnv,
  options: Pick<Surroundings, 'signal' | 'commandSeconds' | 'bringUp' | 'tellWait'> = {},
): Promise<Configuration> {
  const { written, origin } = parseConfigurationText(await textOf(file), file)
  return resolveFrom(written, origin, { directory: dirname(resolve(file)), environment, ...options })
}

/**
 * Resolves a configuration that was made in memory, with the rules of the file.
 * @throws TwotokenError as `loadConfiguration`
 */
export function resolveConfiguration(written: unknown, surroundings: Surroundings): Promise<Configuration> {
  return resolveFrom(written, { lineOf: () => 0 }, surroundings)
}

/** The values for every `${NAME}` of a configuration, by name. */
export async function variablesOf(
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<readonly { readonly name: string; readonly value: string }[]> {
  const { values } = await readEnvFile(dirname(resolve(file)), environment)
  return listVariables(await textOf(file)).map((name) => ({ name, value: values[name] ?? '' }))
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
