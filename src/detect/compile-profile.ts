import type { Carriage } from '../roles/signaling/carriages/registry.ts'
import type { DeclaredUser } from '../roles/signaling/declared-users/registry.ts'
import type { SignalingProfile } from '../roles/signaling/types.ts'
import { GivenUp } from './budget.ts'
import { type Classification, findFailureSigns, selectUnauthorizedSigns } from './classify-outcomes.ts'
import { type Draft, hasToken, hasUser, helloTemplate, messageTemplate, type Piece } from './draft.ts'
import type { Trace } from './prober.ts'
import type { SilentClient } from './silent-client.ts'

export interface Gathered {
  readonly valid: readonly Trace[]
  /** Refusals by what was offered: garbage, damaged tokens, nothing. */
  readonly refused: readonly (readonly Trace[])[]
}

/** A refusal comes later under the load of a whole run: quiet for less might still end in one. */
const leastQuietMs = 2000
const usualTimeoutMs = 8000

/** Puts what was found into a profile; throws `GivenUp` where no profile can describe it. */
export function compileProfile(
  draft: Draft,
  { success }: Classification,
  { valid, refused }: Gathered,
  { subprotocols, entrance }: Pick<SilentClient, 'subprotocols' | 'entrance'>,
): SignalingProfile {
  const failure = findFailureSigns(refused, valid)
  const slowest = Math.max(0, ...refused.flat().map(({ end, lastMs }) => (end === null ? 0 : lastMs)))
  const quietOpenMs = roundUp(Math.min(8000, Math.max(leastQuietMs, slowest * 5)))
  const answered = Math.max(slowest, ...valid.map(({ lastMs }) => lastMs))
  // A refusal by silence costs a run this time whenever it happens; no other refusal does.
  const isSilent = refused.flat().some(({ end }) => end === null) && failure.length === 0
  const patience = Math.max(
    isSilent ? 3000 : usualTimeoutMs,
    answered * 5,
    success === 'quiet' ? quietOpenMs * 2 : 0,
  )
  return {
    carriage: toCarriage(draft),
    subprotocols: subprotocols.length === 0 ? undefined : subprotocols,
    ...entrance,
    opening: draft.opening === undefined ? undefined : [draft.opening],
    declaredUser: toDeclaredUser(draft),
    success: [success === 'quiet' ? { quietOpenMs } : success],
    failure,
    unauthorized: selectUnauthorizedSigns(failure),
    samples: {},
    timeoutMs: roundUp(Math.min(30_000, patience)),
    settleMs: 300,
  }
}

function roundUp(ms: number): number {
  return Math.ceil(ms / 100) * 100
}

function toCarriage({ pieces, after }: Draft): Carriage {
  const [first, ...others] = pieces.filter(hasToken)
  const template = messageTemplate(pieces)
  if (template !== null && first !== undefined) {
    if (pieces.some((piece) => hasToken(piece) && piece.in !== 'field' && piece.in !== 'text'))
      throw new GivenUp('signaling requires the token in a message and in another place')
    return { in: 'message', template, after }
  }
  if (first?.in === 'subprotocol') {
    const protocols = pieces.flatMap((piece) => (piece.in === 'subprotocol' ? [piece.template] : []))
    return { in: 'subprotocol', protocols }
  }
  if (others.length > 0) throw new GivenUp('signaling requires the token in several places')
  if (first?.in === 'header') return { in: 'header', name: first.name, template: first.template }
  if (first?.in === 'query' && first.template === '{jwt}') return { in: 'query', name: first.name }
  if (first?.in === 'cookie' && first.template === '{jwt}') return { in: 'cookie', name: first.name }
  throw new GivenUp('signaling requires the token in a form that no profile describes')
}

function toDeclaredUser({ pieces }: Draft): DeclaredUser {
  const [first, ...others] = pieces.filter(hasUser)
  // A place may exist although none was found.
  if (first === undefined) return { in: 'none', detected: true }
  const hello = helloTemplate(pieces)
  if (hello !== null && first.in === 'hello') return { in: 'message', template: hello }
  if (isPartOfCarriage(first)) return { in: 'carriage' }
  if (others.length > 0) throw new GivenUp('signaling requires the userId in several places')
  if (first.in === 'query' || first.in === 'header') return { in: first.in, name: first.name }
  throw new GivenUp('signaling requires the userId in a form that no profile describes')
}

function isPartOfCarriage(piece: Piece): boolean {
  return piece.in === 'field' || piece.in === 'text' || piece.in === 'subprotocol' || hasToken(piece)
}
