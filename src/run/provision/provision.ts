import { TwotokenError } from '../../base/errors.ts'
import { tellingIn, tellingWait } from '../../base/told-wait.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { ProvisionedStack } from './provisioned-stack.ts'
import type { AddressedPart } from './wait-for-addresses.ts'

export interface StartEnvironment {
  readonly variables: NodeJS.ProcessEnv
  readonly stderr: { write(text: string): unknown }
  readonly signal: AbortSignal
  /** Parts to wait for; mint, backend and signaling where absent. */
  readonly contacted?: readonly AddressedPart[]
}

const defaultBaseImage = 'node:24-bookworm-slim'

/** Brings up what `start` or `--containers` names; null without either. Throws `usage` where they contradict each other. */
export async function provision(
  configuration: Configuration,
  inContainers: boolean,
  { variables, stderr, signal, contacted }: StartEnvironment,
): Promise<ProvisionedStack | null> {
  const start: Configuration['start'] =
    configuration.start ?? (inContainers ? { containers: {}, readyTimeoutSeconds: 60 } : undefined)
  if (start === undefined) return null
  const { readyTimeoutSeconds, containers, compose, command } = start
  // Loaded only now: the client of the engine is large.
  if (containers !== undefined) {
    const { startContainers } = await import('./start-containers.ts')
    return await startContainers(configuration, {
      containers,
      readyTimeoutSeconds,
      baseImage: variables['NODE_IMAGE'] || defaultBaseImage,
      signal,
      onProgress: (line) => void stderr.write(`${line}\n`),
    })
  }
  if (inContainers)
    throw new TwotokenError(
      'usage',
      '--containers conflicts with another way to start in the configuration: remove --containers, or use start.containers',
    )
  const how = { readyTimeoutSeconds, environment: variables, signal, contacted }
  const bringUp = async () => {
    if (compose !== undefined) {
      const { startByCompose } = await import('./compose.ts')
      return await startByCompose(configuration, compose, how)
    }
    if (command === undefined) return null
    const { startByCommand } = await import('./command.ts')
    return await startByCommand(configuration, command, how)
  }
  return await tellingWait(bringUp, {
    what: `waiting for what ${compose === undefined ? 'start.command' : 'start.compose'} starts`,
    longestMs: readyTimeoutSeconds * 1000,
    tell: tellingIn(stderr),
  })
}
