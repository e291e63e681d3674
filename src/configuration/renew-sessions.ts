import type { ConfiguredSession } from '../roles/backend/types.ts'
import { commandOutput } from './command.ts'
import type { Configuration } from './configuration.ts'

/**
 * The configuration with its renewable sessions obtained again, for what begins long after it was read. A session whose
 * command fails stays as it was: what it is used for then shows it.
 */
export async function withNewSessions(
  configuration: Configuration,
  environment: NodeJS.ProcessEnv,
): Promise<Configuration> {
  const { backend, directory } = configuration
  if (backend === undefined) return configuration
  const { alice, aliceSecondDevice, bob } = backend.sessions
  const obtain = async (name: string, session: ConfiguredSession | undefined) => {
    if (session?.renewal === undefined) return []
    const obtainedAt = Date.now()
    const outcome = await commandOutput(session.renewal.command, { directory, environment })
    if ('failure' in outcome) return []
    return [
      [name, { ...session, token: outcome.output, renewal: { ...session.renewal, obtainedAt } }] as const,
    ]
  }
  const renewed = await Promise.all([
    obtain('alice', alice),
    obtain('aliceSecondDevice', aliceSecondDevice),
    obtain('bob', bob),
  ])
  const sessions = { ...backend.sessions, ...Object.fromEntries(renewed.flat()) }
  return { ...configuration, backend: { ...backend, sessions } }
}
