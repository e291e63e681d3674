import type { DeepVariant } from '../../fixtures/explore/deep-variant.ts'
import { deepBackends } from '../../fixtures/explore/variants/backend.ts'
import { deepClients } from '../../fixtures/explore/variants/client.ts'
import { deepMints } from '../../fixtures/explore/variants/mint.ts'
import { deepSignalings } from '../../fixtures/explore/variants/signaling.ts'
import type { ExploredRole } from '../../src/requirement/explored-roles.ts'

export interface NamedDeepVariant {
  readonly role: ExploredRole
  readonly name: string
  readonly deep: DeepVariant
}

/** Every variant whose fault only a sequence shows. */
export function loadDeepVariants(): NamedDeepVariant[] {
  const named = (role: ExploredRole, variants: Readonly<Record<string, DeepVariant>>) =>
    Object.entries(variants).map(([name, deep]) => ({ role, name: `${role}/${name}`, deep }))
  return [
    ...named('mint', deepMints),
    ...named('backend', deepBackends),
    ...named('signaling', deepSignalings),
    ...named('client', deepClients),
  ]
}
