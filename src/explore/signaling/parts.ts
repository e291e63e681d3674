import type { CommonContext, Needed } from '../../requirement/needs.ts'
import type { Attempt } from '../../roles/signaling/attempt.ts'

export const signalingNeeds = ['mint', 'signaling'] as const
export type SignalingParts = CommonContext & Pick<Needed, (typeof signalingNeeds)[number]>

export type Issue = (userId: string, lives: 'long' | 'short') => Promise<string>

/** A decision about the token: an outage, a limit or a network that fails is none. */
export function isRejected(made: Attempt): boolean {
  return made.outcome === 'refused' && made.unreachable !== true && made.undecided !== true
}
