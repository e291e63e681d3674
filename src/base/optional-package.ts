import { TwotokenError } from './errors.ts'

/** The error, or how to get the package that is missing. `need` is what needs it, as the subject of a sentence. */
export function explainMissing(error: unknown, name: string, need: string): unknown {
  const isMissing =
    error instanceof Error &&
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes(`'${name}'`)
  return isMissing
    ? new TwotokenError(
        'precondition',
        `${need} needs the package ${name}, which is not installed: run "npm install --save-dev ${name}"`,
        error,
      )
    : error
}
