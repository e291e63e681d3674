import { narrowToExplored } from '../explore/explore-role.ts'
import type { ExploredRole } from '../requirement/explored-roles.ts'
import type { RunEnvironment } from './options.ts'
import { assertReachable, mostPreflightMints } from './preflight/preflight.ts'
import { type PreparedConfiguration, prepareConfiguration } from './prepare-configuration.ts'
import { rejectOnAbort } from './provision/concurrency.ts'
import { explorationIn } from './write-artefacts.ts'

type ExplorationPlan = Pick<PreparedConfiguration, 'configuration' | 'out' | 'certificate'>

/** Brings up what the configuration starts, or the embedded reference, and checks that it answers; null after an interruption. */
export async function prepareExploration(
  role: ExploredRole,
  options: { readonly config?: string | undefined; readonly out?: string },
  environment: RunEnvironment,
  signal: AbortSignal,
  stack: AsyncDisposableStack,
): Promise<ExplorationPlan | null> {
  const unconfigured = async () => {
    environment.stderr.write('exploring the embedded reference stack\n')
    const { startReference } = await import('../../fixtures/stack.ts')
    return stack.use(await startReference({ signsIn: true })).configuration
  }
  const usualOut = (folder: string) => explorationIn(folder, role)
  const preparing = { ...options, usualOut, containers: false, contactedBy: [role], unconfigured, signal }
  try {
    const { configuration, out, certificate } = await prepareConfiguration(preparing, environment, stack)
    const explored = narrowToExplored(role, configuration)
    const reaching = assertReachable(explored, {
      ...certificate,
      parts: [role],
      mayMint: configuration.limits.maxMints === undefined,
      stderr: environment.stderr,
      refusal: { what: 'the exploration did not start' },
    })
    await rejectOnAbort(reaching, signal)
    const { limits } = configuration
    const maxMints = limits.maxMints && Math.max(0, limits.maxMints - mostPreflightMints(explored, [role]))
    return { configuration: { ...configuration, limits: { ...limits, maxMints } }, out, certificate }
  } catch (error) {
    // An interruption makes what it breaks off fail: that is no error by itself.
    if (signal.aborted) return null
    throw error
  }
}
