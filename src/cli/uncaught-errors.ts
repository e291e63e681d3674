import { exitCodeOf, TwotokenError } from '../base/errors.ts'
import { processSecrets } from '../base/evidence/secrets.ts'
import { isInconclusive } from '../base/inconclusive.ts'
import { onLines } from '../base/printable.ts'
import { blameUserModule } from '../base/user-modules.ts'

/** Ends the process on an uncaught error with its own exit code: Node would print a stack and exit with 1, a violation. */
export function handleUncaughtErrors(name: string): void {
  const end = (thrown: unknown) => {
    const error = blameUserModule(thrown) ?? thrown
    printError(name, error)
    process.exit(exitCodeOf(error))
  }
  process.on('uncaughtException', end)
  // A check learns of it where it awaits it: the others, and the results, go on.
  process.on('unhandledRejection', (reason) => {
    if (!isInconclusive(reason)) end(reason)
  })
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader such as `head` has closed the pipe: the verdicts and the exit code do not change.
      if (error.code === 'EPIPE') return
      end(new TwotokenError('unwritable', `cannot write to stdout or stderr (${error.code})`, error))
    })
}

/** Prints one sentence of a command on stderr, without secrets, and with nothing in it that a terminal or a CI system follows. */
export function printError(name: string, error: unknown): void {
  const said = error instanceof Error ? error.message : String(error)
  const sentence = error instanceof TwotokenError ? said : `internal error: ${said}`
  process.stderr.write(`${name}: ${onLines(processSecrets.printed(sentence))}\n`)
}
