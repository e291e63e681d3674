import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { TwotokenError } from '../base/errors.ts'

/** Names the file that is read instead of `.env`; empty: none is. `--env` and `--no-env-file` set it. */
export const envFileVariable = 'TWOTOKEN_ENV_FILE'

/** Values for `${NAME}`: those of the environment, and what a file adds. */
export interface NamedValues {
  readonly values: NodeJS.ProcessEnv
  /** Says what to do about a name that neither has; it may stand in a file that is not read. */
  advice(name: string): string
}

/** Files in which people look for values: often `.env` is there instead of beside the configuration. */
const looked = (directory: string) => [
  join(directory, '.env'),
  join(directory, '.env.local'),
  join(directory, '.env.test'),
  join(dirname(directory), '.env'),
]

/** The environment wins over `.env`, so that a job of CI can override it; throws where a named file cannot be read. */
export async function readEnvFile(directory: string, environment: NodeJS.ProcessEnv): Promise<NamedValues> {
  const named = environment[envFileVariable]
  const beside = join(directory, '.env')
  const chosen = named === undefined ? beside : named === '' ? null : resolve(named)
  const read = chosen === null ? {} : await valuesOf(chosen, named !== undefined)
  const others = looked(directory).filter((file) => file !== chosen)
  const unread = await Promise.all(
    others.map(async (file) => ({ file, values: await valuesOf(file, false) })),
  )
  const place = chosen === beside ? '.env beside the configuration' : chosen
  return {
    values: { ...read, ...environment },
    advice(name) {
      const file = unread.find(({ values }) => values[name] !== undefined)?.file
      const isIn = file === undefined ? '' : `it is in ${relative(directory, file)}, which is not read; `
      if (place === null) return `${isIn}set it, or leave --no-env-file out`
      return `${isIn}set it, or ${file === undefined ? 'write' : 'move'} it ${file === undefined ? 'in' : 'to'} ${place}`
    },
  }
}

async function valuesOf(file: string, mustExist: boolean): Promise<NodeJS.ProcessEnv> {
  try {
    return parseEnv(await readFile(file, 'utf8'))
  } catch (cause) {
    if (!mustExist) return {}
    throw new TwotokenError('usage', `${file} cannot be read: name a file with lines NAME=value`, cause)
  }
}
