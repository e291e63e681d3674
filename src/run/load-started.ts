import { tellingIn } from '../base/told-wait.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { loadConfiguration } from '../configuration/load.ts'
import type { Role } from '../requirement/define.ts'
import { assertListenable } from '../roles/mint/listen.ts'
import { partsBehind } from './preflight/preflight.ts'
import { provision, type StartEnvironment } from './provision/provision.ts'
import type { ProvisionedStack } from './provision/provisioned-stack.ts'
import type { AddressedPart } from './provision/wait-for-addresses.ts'
import type { DoubleCertificate } from './write-artefacts.ts'

export interface LoadingOptions extends Omit<StartEnvironment, 'contacted'> {
  /** The roles that are judged: only what these contact is waited for. */
  readonly contactedBy: readonly Role[]
  readonly inContainers?: boolean
  /** Checks its conditions before anything is started, and may make the certificate of the mint double. */
  readonly beforeStart?: (draft: Configuration) => Promise<DoubleCertificate>
}

export interface Started {
  readonly configuration: Configuration
  /** Null where it runs already. */
  readonly provisioned: ProvisionedStack | null
  readonly certificate: DoubleCertificate
}

/** Reads a configuration, and brings up what it starts before programs are run that print credentials. */
export async function loadStarted(
  file: string,
  { inContainers = false, beforeStart = async () => ({}), contactedBy, ...environment }: LoadingOptions,
  stack: AsyncDisposableStack,
): Promise<Started> {
  const made: { early?: Omit<Started, 'configuration'> } = {}
  const bringUp = async (draft: Configuration) => {
    const certificate = await beforeStart(draft)
    const { backend, start } = draft
    const partsOf = (role: Role): readonly AddressedPart[] =>
      role === 'client' ? ['client'] : partsBehind(role, draft)
    const contacted = [...new Set(contactedBy.flatMap(partsOf))]
    if (start !== undefined && backend?.fakeMint !== undefined && contacted.includes('backend'))
      await assertListenable(backend.fakeMint)
    const provisioned = await provision(draft, inContainers, { ...environment, contacted })
    if (provisioned !== null) stack.use(provisioned)
    made.early = { provisioned, certificate }
    return made.early
  }
  const { variables, signal, stderr } = environment
  const tellWait = tellingIn(stderr)
  const configuration = await loadConfiguration(file, variables, { signal, bringUp, tellWait })
  // A stack that was started from a draft lacks the credentials.
  if (made.early !== undefined) return { ...made.early, configuration }
  const late = await bringUp(configuration)
  return { ...late, configuration: late.provisioned?.configuration ?? configuration }
}
