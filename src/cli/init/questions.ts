import * as leaf from '../../base/schema/leaves.ts'
import type { Findings } from './findings.ts'

/** Answers that only the user knows. A null address is a part that is left out. */
export interface Answers {
  readonly name: string
  readonly mintUrl: string | null
  readonly backendUrl: string | null
  readonly signalingUrl: string | null
}

export interface Dialogue {
  /** Resolves with the line that was typed; it is empty where the proposal is accepted. */
  ask(question: string, options?: AskOptions): Promise<string>
  confirm(question: string, isProposed: boolean): Promise<boolean>
  /** Resolves with one of the values. */
  choose(question: string, values: readonly string[], proposed: string): Promise<string>
  say(text: string): void
}

interface AskOptions {
  /** The answer is a secret, and shown nowhere. */
  readonly isHidden?: boolean
  readonly proposal?: string | undefined
}

interface Accepts {
  safeParse(value: unknown): { readonly success: boolean }
}

/** How often a question is asked before the part is left out. */
const maxAttempts = 3

/** Asks four questions; Enter accepts the proposal, `-` leaves the part out. None asks for a secret. */
export async function askQuestions(dialogue: Dialogue, findings: Findings, folder: string): Promise<Answers> {
  const { mintUrl, backendUrl, ports, variables } = findings
  if (ports.length > 0) dialogue.say(`open ports on this machine: ${ports.join(', ')}`)
  dialogue.say(
    'Press Enter to accept a proposal, or type - to skip a part. Keys and sessions are never asked for.',
  )
  const name = (await dialogue.ask('name of the implementation', { proposal: folder })).trim() || folder
  const variable = (pattern: RegExp) => {
    const found = variables.find((candidate) => pattern.test(candidate))
    return found === undefined ? null : { url: `\${${found}}`, from: 'a .env file' }
  }
  const address = async (
    what: string,
    example: string,
    accepts: Accepts,
    proposal: { url: string; from: string } | null,
  ) => {
    const question = `${what} (${proposal === null ? `for example ${example}` : `from ${proposal.from}`})`
    for (let turn = 0; turn < maxAttempts; turn += 1) {
      const typed = (await dialogue.ask(question, { proposal: proposal?.url })).trim()
      if (typed === '-') return null
      if (typed === '') return proposal?.url ?? null
      const checked = accepts.safeParse(typed)
      if (checked.success || /^\$\{[A-Za-z_]\w*\}$/.test(typed)) return typed
      dialogue.say(`invalid address; use one such as ${example}`)
    }
    dialogue.say(`skipped ${what}`)
    return null
  }
  return {
    name,
    mintUrl: await address(
      'base URL of the mint',
      'https://api.example.com',
      leaf.httpUrl,
      mintUrl ?? variable(/^(?:\w*MINT|CALLING_(?:API|BASE))_URL$/),
    ),
    backendUrl: await address(
      'token route of the backend',
      'https://shop.example.com/calling/token',
      leaf.httpUrl,
      backendUrl ?? variable(/^\w*(?:BACKEND|TOKEN_ROUTE)_URL$/),
    ),
    signalingUrl: await address(
      'WebSocket address of signaling',
      'wss://signal.example.com/ws',
      leaf.wsUrl,
      variable(/^\w*(?:SIGNALING|WEBSOCKET|WS)_URL$/),
    ),
  }
}
