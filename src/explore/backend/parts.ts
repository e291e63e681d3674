import type { CommonContext, Needed } from '../../requirement/needs.ts'

export const backendNeeds = ['backend', 'mintDouble'] as const
export type BackendParts = CommonContext & Pick<Needed, (typeof backendNeeds)[number]>
