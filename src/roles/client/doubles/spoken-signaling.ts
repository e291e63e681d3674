import { loadAdapter, type ServeDouble } from '../../signaling/adapter-module.ts'
import type { SignalingConfiguration } from '../../signaling/configuration.ts'
import type { SignalingProfile } from '../../signaling/profile.ts'
import type { DoubledSignaling } from '../types.ts'
import { adapterRefusals, startAdapterSignaling } from './adapter-signaling.ts'
import type { DoubleContext } from './double-context.ts'
import type { ServingSignaling } from './serving-signaling.ts'
import { createSignalingDouble } from './signaling-double.ts'
import { deriveResponses } from './signaling-responses.ts'

/** Protocol that the signaling double speaks to a client: a profile, or the `serve` of an adapter. */
export type SpokenSignaling =
  | { readonly profile: SignalingProfile }
  | { readonly serve: ServeDouble; readonly declaresUser: boolean }

/** Where neither says how signaling speaks: every socket is welcome, and nothing is said. */
export const quietProfile: SignalingProfile = {
  carriage: { in: 'query', name: 'token' },
  declaredUser: { in: 'none' },
  success: [{ quietOpenMs: 1000 }],
  failure: [],
  unauthorized: [],
  samples: {},
  timeoutMs: 10_000,
  settleMs: 0,
}

/** Null where nothing says what a double has to send. Throws TwotokenError where the adapter cannot be loaded. */
export async function findSpokenSignaling(
  access: SignalingConfiguration['access'],
): Promise<SpokenSignaling | null> {
  if (access === undefined) return null
  if ('profile' in access) return access.profile.ticket === undefined ? access : null
  const { serve, declaresUser } = await loadAdapter(access.adapter)
  return serve === undefined ? null : { serve, declaresUser }
}

/** `seesStatus`: the client can see with which status an upgrade was refused. */
export function describeDouble(
  spoken: SpokenSignaling,
  { seesStatus }: { readonly seesStatus: boolean },
): DoubledSignaling {
  if ('serve' in spoken) return { ...adapterRefusals, declaresUser: spoken.declaresUser }
  const { profile } = spoken
  return {
    ...deriveResponses(profile, { seesStatus }).refusals,
    declaresUser: profile.declaredUser.in !== 'none',
  }
}

export async function startSignalingDouble(
  context: DoubleContext,
  spoken: SpokenSignaling | null,
  { seesStatus }: { readonly seesStatus: boolean },
): Promise<ServingSignaling> {
  if (spoken !== null && 'serve' in spoken) return await startAdapterSignaling(context, spoken.serve)
  const profile = spoken?.profile ?? quietProfile
  return createSignalingDouble(context, profile, deriveResponses(profile, { seesStatus }))
}
