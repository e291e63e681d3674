import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { TwotokenError } from '../../base/errors.ts'
import { onLines } from '../../base/printable.ts'
import type { Dialogue } from '../init/questions.ts'

/** Runs something with the user to ask, where there is one at a terminal. What is asked goes to stderr. */
export async function withTerminal<T>(
  stderr: { write(text: string): unknown },
  run: (given: { readonly dialogue?: Dialogue }) => Promise<T>,
): Promise<T> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return await run({})
  const shown = { hidden: false }
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!shown.hidden) stderr.write(String(chunk))
      done()
    },
  })
  // No history: the arrow keys would show a password.
  const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 })
  const gone = new AbortController()
  lines.once('close', () => gone.abort())
  lines.once('SIGINT', () => lines.close())
  const ask = async (question: string) =>
    await lines.question(question, { signal: gone.signal }).catch((cause: unknown) => {
      throw new TwotokenError('usage', 'no file was written: input was interrupted', cause)
    })
  const askHidden = async (question: string) => {
    stderr.write(question)
    shown.hidden = true
    try {
      return await ask('')
    } finally {
      shown.hidden = false
      stderr.write('\n')
    }
  }
  try {
    return await run({
      dialogue: {
        say: (text) => void stderr.write(`${onLines(text)}\n`),
        ask: (question, { hidden = false } = {}) => (hidden ? askHidden : ask)(onLines(question)),
      },
    })
  } finally {
    lines.close()
  }
}
