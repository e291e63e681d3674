import type { Readable } from 'node:stream'
import { Writable } from 'node:stream'
import { TwotokenError } from '../../base/errors.ts'
import { onLines, onOneLine } from '../../base/printable.ts'
import type { RunEnvironment } from '../../run/options.ts'
import type { Dialogue } from '../init/ask-backend.ts'

/** Runs something with the user to ask, where there is one at a terminal. What is asked goes to stderr. */
export async function withTerminal<T>(
  environment: Pick<RunEnvironment, 'stderr' | 'color'>,
  run: (given: { readonly dialogue?: Dialogue }) => Promise<T>,
): Promise<T> {
  const { stdin: input } = process
  if (!input.isTTY || environment.stderr.isTTY !== true) return await run({})
  return await run({ dialogue: await createDialogue({ input, output: openScreen(environment) }) })
}

/** Asks with the prompts of clack, which few commands need. */
export async function createDialogue(terminal: { input: Readable; output: Writable }): Promise<Dialogue> {
  const { confirm, log, password, select, text } = await import('@clack/prompts')
  const unlessCancelled = async <Value extends string | boolean>(
    asked: Promise<Value | symbol>,
  ): Promise<Value> => {
    const given = await asked
    if (typeof given === 'symbol') throw new TwotokenError('interrupted', 'interrupted')
    return given
  }
  return {
    say: (said) => log.message(onLines(said), { output: terminal.output }),
    ask: async (question, { isHidden = false, proposal } = {}) => {
      const message = onOneLine(question)
      if (isHidden) return (await unlessCancelled<string>(password({ message, ...terminal }))) ?? ''
      const shown = onOneLine(proposal ?? '')
      // The prompt shows the proposal as the answer once it is accepted.
      const proposed = { placeholder: shown, defaultValue: shown }
      const given = (await unlessCancelled<string>(text({ message, ...proposed, ...terminal }))) ?? ''
      return given === shown ? '' : given
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

const paint = /^[\d;]*m/

/** The screen of the command itself: `process.stderr` is for texts of peers, and takes every escape out of them. */
export function openScreen({ stderr, color }: Pick<RunEnvironment, 'stderr' | 'color'>): Writable {
  const screen = new Writable({
    write(chunk, _encoding, done) {
      stderr.write(color ? String(chunk) : withoutColor(String(chunk)))
      done()
    },
  })
  return Object.defineProperty(screen, 'columns', { get: () => stderr.columns })
}

function withoutColor(text: string): string {
  const [start = '', ...sequences] = text.split('\u001b[')
  const kept = sequences.map((one) => (paint.test(one) ? one.replace(paint, '') : `\u001b[${one}`))
  return [start, ...kept].join('')
}
