import type { CommonContext, Needed } from '../../requirement/needs.ts'

/** Parts that stories about signaling need. */
export const signalingNeeds = ['mint', 'signaling'] as const
export type SignalingParts = CommonContext & Pick<Needed, (typeof signalingNeeds)[number]>

/** Gets a token from the mint. */
export type Issue = (userId: string, lives: 'long' | 'short') => Promise<string>
