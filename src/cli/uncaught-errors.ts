import { exitCodeOf, TwotokenError } from '../base/errors.ts'
import { createRedactor } from '../base/evidence/redact.ts'

/** What is thrown outside of every call: Node would print a stack and end with 1, the code of a violation. */
export function catchStrays(): void {
  const end = (error: unknown) => {
    say(error)
    process.exit(exitCodeOf(error))
  }
  process.on('uncaughtException', end)
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as `head`: what is judged, and the exit code, stay as they are.
      if (error.code === 'EPIPE') return
      end(new TwotokenError('unwritable', `what it prints cannot be written (${error.code})`, error))
    })
}

/** One sentence on stderr, without a secret. */
export function say(error: unknown): void {
  process.stderr.write(`twotoken: ${createRedactor().text(sentenceOf(error))}\n`)
}

function sentenceOf(error: unknown): string {
  if (error instanceof TwotokenError) return error.message
  return `the suite itself failed: ${error instanceof Error ? error.message : String(error)}`
}
