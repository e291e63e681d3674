import { runCommand } from './command.ts'
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
  const renewed = Object.entries({ alice, aliceSecondDevice, bob }).map(async ([name, session]) => {
    if (session?.renewal === undefined) return []
    const renewal = { ...session.renewal, obtainedAt: Date.now() }
    const outcome = await runCommand(renewal.command, { directory, environment })
    return 'output' in outcome ? [[name, { ...session, token: outcome.output, renewal }] as const] : []
  })
  const sessions = { ...backend.sessions, ...Object.fromEntries((await Promise.all(renewed)).flat()) }
  return { ...configuration, backend: { ...backend, sessions } }
}
