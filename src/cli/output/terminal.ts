import { createInterface } from 'node:readline/promises'
import { TwotokenError } from '../../base/errors.ts'
import { onLines } from '../../base/printable.ts'
import type { Dialogue } from '../init/questions.ts'

/** Runs something with the user to ask, where there is one at a terminal. What is asked goes to stderr. */
export async function withTerminal<T>(
  run: (given: { readonly dialogue?: Dialogue }) => Promise<T>,
): Promise<T> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return await run({})
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const gone = new AbortController()
  lines.once('close', () => gone.abort())
  lines.once('SIGINT', () => lines.close())
  try {
    return await run({
      dialogue: {
        say: (text) => void process.stderr.write(`${onLines(text)}\n`),
        ask: (question) =>
          lines.question(onLines(question), { signal: gone.signal }).catch((cause: unknown) => {
            throw new TwotokenError('usage', 'no file was written: input was interrupted', cause)
          }),
      },
    })
  } finally {
    lines.close()
  }
}
