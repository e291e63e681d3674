import type { Configuration } from '../../configuration/configuration.ts'
import { type ReplaceablePart, replaceableParts } from '../../requirement/blame.ts'
import type { AnyCheck } from '../../requirement/define.ts'
import type { Need } from '../../requirement/needs.ts'

/** The configured parts that the verdict of a requirement rests on. Doubles and artefacts are no such parts. */
export function concernedParts(
  { role }: Pick<AnyCheck, 'role'>,
  configuration: Pick<Configuration, ReplaceablePart>,
): ReplaceablePart[] {
  const isConfigured = (part: ReplaceablePart) => configuration[part] !== undefined
  const source = isConfigured('mint') ? 'mint' : 'backend'
  const met: Readonly<Partial<Record<AnyCheck['role'], readonly ReplaceablePart[]>>> = {
    flow: replaceableParts,
    backend: ['mint', 'backend'],
    // Its tokens come from the mint where there is one, else through the backend.
    signaling: [source, 'signaling'],
  }
  return (met[role] ?? []).filter(isConfigured)
}

const lasting: readonly Need[] = ['signOutHook', 'revokeKeyHook', 'rotateKeysHook']

/** Why a requirement is not judged again; null where it can be. */
export function reasonNotToRepeat({ needs }: Pick<AnyCheck, 'needs'>): string | null {
  if (needs.some((need) => lasting.includes(need))) return 'its hook changes the implementation for good'
  return needs.includes('logs') ? 'each finding names its log' : null
}
