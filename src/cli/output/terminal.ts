import type { Readable } from 'node:stream'
import { Writable } from 'node:stream'
import { TwotokenError } from '../../base/errors.ts'
import { onLines, onOneLine } from '../../base/printable.ts'
import type { Dialogue } from '../init/questions.ts'

interface Terminal {
  readonly input: Readable
  readonly output: Writable
}

/** Runs something with the user to ask, where there is one at a terminal. What is asked goes to stderr. */
export async function withTerminal<T>(
  isColored: boolean,
  run: (given: { readonly dialogue?: Dialogue }) => Promise<T>,
): Promise<T> {
  const { stdin: input, stderr } = process
  if (!input.isTTY || !stderr.isTTY) return await run({})
  const output = isColored ? stderr : withoutColor(stderr)
  return await run({ dialogue: await createDialogue({ input, output }) })
}

/** Asks with the prompts of clack, which few commands need. */
export async function createDialogue(terminal: Terminal): Promise<Dialogue> {
  const { confirm, log, password, select, text } = await import('@clack/prompts')
  const unlessCancelled = async <Value extends string | boolean>(
    asked: Promise<Value | symbol>,
  ): Promise<Value> => {
    const given = await asked
    if (typeof given === 'symbol')
      throw new TwotokenError('usage', 'no file was written: input was interrupted')
    return given
  }
  return {
    say: (said) => log.message(onLines(said), { output: terminal.output }),
    ask: async (question, { isHidden = false, proposal } = {}) => {
      const message = onOneLine(question)
      if (isHidden) return (await unlessCancelled<string>(password({ message, ...terminal }))) ?? ''
      const placeholder = onOneLine(proposal ?? '')
      return (await unlessCancelled<string>(text({ message, placeholder, ...terminal }))) ?? ''
    },
    confirm: (question, isProposed) =>
      unlessCancelled<boolean>(
        confirm({ message: onOneLine(question), initialValue: isProposed, ...terminal }),
      ),
    choose: (question, values, proposed) => {
      const options = values.map((value) => ({ value, label: value }))
      return unlessCancelled<string>(
        select<string>({ message: onOneLine(question), options, initialValue: proposed, ...terminal }),
      )
    },
  }
}

const color = /^[\d;]*m/

function withoutColor(stderr: NodeJS.WriteStream): Writable {
  const plain = new Writable({
    write(chunk, _encoding, done) {
      const [start = '', ...sequences] = String(chunk).split('\u001b[')
      const kept = sequences.map((text) => (color.test(text) ? text.replace(color, '') : `\u001b[${text}`))
      stderr.write([start, ...kept].join(''))
      done()
    },
  })
  return Object.defineProperty(plain, 'columns', { get: () => stderr.columns })
}
