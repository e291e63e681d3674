import { TwotokenError } from './errors.ts'

/**
 * An error of what loads a package that is installed only where it is needed, as one that says how to get it; any other
 * error as it is.
 * @param need what needs the package, as the subject of a sentence
 */
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
