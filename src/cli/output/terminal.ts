import { type Readable, Writable } from 'node:stream'
import { TwotokenError } from '../../base/errors.ts'
import { onLines, onOneLine } from '../../base/printable.ts'
import type { RunEnvironment } from '../../run/options.ts'

interface AskOptions {
  readonly isHidden?: boolean
  readonly proposal?: string | undefined
}

export type Dialogue = Awaited<ReturnType<typeof createDialogue>>

/** Asks the user, where there is one at a terminal. Questions go to stderr. */
export async function openDialogue(
  environment: Pick<RunEnvironment, 'stderr' | 'color'>,
): Promise<Dialogue | undefined> {
  const { stdin: input } = process
  if (!input.isTTY || !environment.stderr.isTTY) return undefined
  return await createDialogue({ input, output: openScreen(environment) })
}

/** Asks with the prompts of clack, which few commands need. */
export async function createDialogue(terminal: { input: Readable; output: Writable }) {
  const { confirm, log, password, select, text } = await import('@clack/prompts')
  const unlessCancelled = async <Value extends string | boolean>(
    asked: Promise<Value | symbol>,
  ): Promise<Value> => {
    const given = await asked
    if (typeof given === 'symbol') throw new TwotokenError('interrupted', 'interrupted')
    return given
  }
  return {
    say: (said: string) => log.message(onLines(said), { output: terminal.output }),
    /** Resolves with the line that was typed; it is empty where the proposal is accepted. */
    async ask(question: string, { isHidden = false, proposal }: AskOptions = {}): Promise<string> {
      const message = onOneLine(question)
      if (isHidden) return (await unlessCancelled<string>(password({ message, ...terminal }))) ?? ''
      const shown = onOneLine(proposal ?? '')
      // The prompt shows the proposal as the answer once it is accepted.
      const proposed = { placeholder: shown, defaultValue: shown }
      const given = (await unlessCancelled<string>(text({ message, ...proposed, ...terminal }))) ?? ''
      return given === shown ? '' : given
    },
    confirm: (question: string, isProposed: boolean) =>
      unlessCancelled<boolean>(
        confirm({ message: onOneLine(question), initialValue: isProposed, ...terminal }),
      ),
    choose(question: string, values: readonly string[], proposed: string) {
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
