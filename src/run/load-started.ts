import { tellingIn } from '../base/told-wait.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import type { Role } from '../requirement/define.ts'
import { assertListenable } from '../roles/mint/listen.ts'
import { partsBehind } from './preflight/preflight.ts'
import { provision, type StartEnvironment } from './provision/provision.ts'
import type { ProvisionedStack } from './provision/provisioned-stack.ts'
import type { AddressedPart } from './provision/wait-for-addresses.ts'

export interface LoadingOptions extends Omit<StartEnvironment, 'contacted'> {
  /** The roles that are judged: only what these contact is waited for. */
  readonly contactedBy: readonly Role[]
  readonly inContainers?: boolean
  /** Prepares or checks its conditions before anything is started. */
  readonly beforeStart?: (draft: Configuration) => Promise<void>
}

export interface Started {
  readonly configuration: Configuration
  readonly provisioned: ProvisionedStack | null
}

/**
 * Reads a configuration and brings up what it starts, before programs are run that print credentials.
 * @throws TwotokenError as `loadConfiguration` and `provision`
 */
export async function loadStarted(
  file: string,
  { inContainers = false, beforeStart = async () => {}, contactedBy, ...environment }: LoadingOptions,
  stack: AsyncDisposableStack,
): Promise<Started> {
  const up: { begun: boolean; provisioned: ProvisionedStack | null } = { begun: false, provisioned: null }
  const bringUp = async (draft: Configuration) => {
    up.begun = true
    await beforeStart(draft)
    const { backend, start } = draft
    const asksBackend = listContacted(contactedBy, draft).includes('backend')
    if (start !== undefined && backend?.fakeMint !== undefined && asksBackend)
      await assertListenable(backend.fakeMint)
    up.provisioned = await provision(draft, inContainers, {
      ...environment,
      contacted: listContacted(contactedBy, draft),
    })
    if (up.provisioned !== null) stack.use(up.provisioned)
  }
  const { variables, signal, stderr } = environment
  const tellWait = tellingIn(stderr)
  const configuration = await loadConfiguration(file, variables, { signal, bringUp, tellWait })
  // A stack that was started from a draft lacks the credentials.
  if (up.begun) return { configuration, provisioned: up.provisioned && { ...up.provisioned, configuration } }
  await bringUp(configuration)
  return { configuration: up.provisioned?.configuration ?? configuration, provisioned: up.provisioned }
}

function listContacted(roles: readonly Role[], configuration: Configuration): AddressedPart[] {
  const parts = roles.flatMap((role): readonly AddressedPart[] =>
    role === 'client' ? ['client'] : partsBehind(role, configuration),
  )
  return [...new Set(parts)]
}
