import { readToken } from '../../base/tokens/decode.ts'
import { createChangeSignal } from '../../roles/client/change-signal.ts'
import type { DoubleCall, DoubleReaction, ScriptedMint } from '../../roles/mint/double.ts'
import type { MintAnswer, MintReaction } from './steps.ts'

/** The longest life of a token that soon expires: the expiry of a token is a whole second. */
const shortSeconds = 1

export interface Issued {
  readonly userId: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export type MintWatch = ReturnType<typeof watchMint>

/** Scripts the mint double during a story. `known` includes tokens of earlier stories: a backend may keep them. */
export function watchMint(scripted: ScriptedMint, known: Map<string, Issued>) {
  const changed = createChangeSignal()
  const held: {
    call: DoubleCall
    ordinary: () => Promise<DoubleReaction>
    answer: PromiseWithResolvers<DoubleReaction>
  }[] = []
  let reaction: MintReaction = 'a token'
  let tokenlessAt = Number.NEGATIVE_INFINITY

  const answer = async (
    call: DoubleCall,
    ordinary: () => Promise<DoubleReaction>,
    how: MintAnswer,
  ): Promise<DoubleReaction> => {
    if (how === 'a closed connection') return 'reset'
    if (how === 'success without a token') {
      tokenlessAt = Date.now()
      return { status: 200, body: '{}' }
    }
    if (how !== 'a token' && how !== 'a token that soon expires')
      return { status: Number(how), body: JSON.stringify({ error: { message: 'no token at the moment' } }) }
    if (how === 'a token that soon expires') scripted.lifetime(shortSeconds)
    const answering = ordinary()
    scripted.lifetime(null)
    const answered = await answering
    if (call.issued !== null) known.set(call.issued, ownerOf(call.issued, call.userId ?? ''))
    return answered
  }

  scripted.answer((call, ordinary) => {
    changed.notify()
    if (reaction === 'one 503, then tokens') {
      reaction = 'a token'
      return answer(call, ordinary, '503')
    }
    if (reaction !== 'nothing yet') return answer(call, ordinary, reaction)
    const waiting = { call, ordinary, answer: Promise.withResolvers<DoubleReaction>() }
    held.push(waiting)
    return waiting.answer.promise
  })

  return {
    react(next: MintReaction): void {
      reaction = next
    },
    get held(): readonly DoubleCall[] {
      return held.map(({ call }) => call)
    },
    release(which: number, how: MintAnswer): void {
      const [waiting] = held.splice(which % held.length, 1)
      waiting?.answer.resolve(answer(waiting.call, waiting.ordinary, how))
    },
    calls: () => scripted.calls(),
    issued: (token: string) => known.get(token) ?? null,
    /** Says whether a call got a success without a token, at this time or later (milliseconds since 1970). */
    wasTokenlessSince: (time: number) => tokenlessAt >= time,
    changed,
  }
}

function ownerOf(token: string, userId: string): Issued {
  const exp = readToken(token)?.claims?.['exp']
  return { userId, expiresAt: typeof exp === 'number' ? exp * 1000 : Number.POSITIVE_INFINITY }
}
