import { readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { parseEnv } from 'node:util'

/** Values for `${NAME}`: those of the environment, and what `.env` beside the configuration adds. */
export interface NamedValues {
  readonly values: NodeJS.ProcessEnv
  /** Says where a name stands that neither has: a file that is not read. */
  elsewhere(name: string): string | undefined
}

/** Files in which people look for values, and which are not read: often `.env` is there instead of beside the configuration. */
const unread = (directory: string) => [
  join(directory, '.env.local'),
  join(directory, '.env.test'),
  join(dirname(directory), '.env'),
]

/** The environment wins over `.env`, so that a job of CI can override it. */
export async function readEnvFile(directory: string, environment: NodeJS.ProcessEnv): Promise<NamedValues> {
  const [beside, ...others] = await Promise.all([join(directory, '.env'), ...unread(directory)].map(valuesOf))
  return {
    values: { ...beside?.values, ...environment },
    elsewhere(name) {
      const file = others.find(({ values }) => values[name] !== undefined)?.file
      return file === undefined ? undefined : relative(directory, file)
    },
  }
}

async function valuesOf(
  file: string,
): Promise<{ readonly file: string; readonly values: NodeJS.ProcessEnv }> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return { file, values: parseEnv(text) }
}
