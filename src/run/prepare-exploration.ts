import { onOneLine } from '../base/printable.ts'
import { tellingIn } from '../base/told-wait.ts'
import type { Configuration } from '../configuration/configuration.ts'
import { narrowToExplored } from '../explore/explore-role.ts'
import type { ExploredRole } from '../requirement/explored-roles.ts'
import type { RunEnvironment, Terminal } from './options.ts'
import { assertReachable } from './preflight/assert-reachable.ts'
import { mostPreflightMints } from './preflight/preflight.ts'
import { type PreparedConfiguration, prepareConfiguration } from './prepare-configuration.ts'
import { rejectOnAbort } from './provision/concurrency.ts'
import type { ProvisionedStack } from './provision/provisioned-stack.ts'
import { explorationIn } from './write-artefacts.ts'

export interface ExplorationPlan
  extends Pick<PreparedConfiguration, 'configuration' | 'out' | 'certificate'> {
  /** Starts anew what the configuration starts; absent where it starts nothing that can be. */
  readonly restart: ProvisionedStack['restart']
}

/**
 * Reads the configuration, brings up what it starts, and checks that the explored parts answer; without a file, the
 * embedded reference. Returns null when the user interrupts it.
 * @throws TwotokenError for everything that can be wrong before the first story
 */
export async function prepareExploration(
  role: ExploredRole,
  options: { readonly config?: string | undefined; readonly out?: string },
  environment: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<ExplorationPlan | null> {
  const unconfigured = () => startEmbedded(role, environment.stderr, stack)
  const usualOut = (folder: string) => explorationIn(folder, role)
  const preparing = { ...options, usualOut, containers: false, contactedBy: [role], unconfigured, signal }
  try {
    const { configuration, out, certificate, provisioned } = await prepareConfiguration(
      preparing,
      environment,
      stack,
    )
    const explored = narrowToExplored(role, configuration)
    const reaching = assertReachable(explored, {
      ...certificate,
      parts: [role],
      mayMint: configuration.limits.maxMints === undefined,
      tellWait: tellingIn(environment.stderr),
      refusal: { what: 'the exploration did not start' },
    })
    const notes = await rejectOnAbort(reaching, signal)
    for (const note of notes) environment.stderr.write(`note: ${onOneLine(note)}\n`)
    const spent = mostPreflightMints(explored, [role])
    const { restart } = provisioned ?? {}
    return { configuration: withoutMints(configuration, spent), out, certificate, restart }
  } catch (error) {
    // An interruption makes what it breaks off fail: that is no error by itself.
    if (signal.aborted) return null
    throw error
  }
}

async function startEmbedded(
  role: ExploredRole,
  stderr: Terminal,
  stack: AsyncDisposableStack,
): Promise<Configuration> {
  stderr.write('no configuration file: exploring the embedded reference stack\n')
  const { startReference } = await import('../../fixtures/stack.ts')
  const options = role === 'client' ? { withClient: true } : { signsIn: true }
  return stack.use(await startReference(options)).configuration
}

/** Subtracts the calling tokens that were spent. */
function withoutMints(configuration: Configuration, spent: number): Configuration {
  const { limits } = configuration
  if (limits.maxMints === undefined) return configuration
  return { ...configuration, limits: { ...limits, maxMints: Math.max(0, limits.maxMints - spent) } }
}
