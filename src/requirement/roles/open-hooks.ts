import { givenAdvice, givenEnvironment } from '../../base/given-environment.ts'
import { ControlLost } from '../../base/inconclusive.ts'
import { hookSeconds } from '../../base/times.ts'
import { runCommand } from '../../configuration/command.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { UserSession } from '../../roles/backend/configuration.ts'
import type { Hook, Provided } from '../needs.ts'
import type { RunServices } from './run-services.ts'

/** The hooks of the configuration, each with what it is about. */
export function openHooks(
  { configuration }: Pick<RunServices, 'configuration'>,
  secondDevice: UserSession | undefined,
  environment: NodeJS.ProcessEnv,
): Pick<Provided, 'signOutHook' | 'revokeKeyHook' | 'suspendProjectHook' | 'rotateKeysHook'> {
  const { signOut, revokeKey, suspendProject, rotateKeys } = configuration.hooks
  const chosen = signOut?.session
  const key = revokeKey?.key ?? configuration.mint?.otherProjectKey
  const hook = (name: string, command: string, told: Readonly<Record<string, string>>): Hook => ({
    run: () => runHook(configuration, environment, { name, command, told }),
  })
  return {
    signOutHook:
      signOut && (chosen !== undefined || secondDevice !== undefined)
        ? {
            async choose() {
              const session = chosen ?? (await secondDevice?.renew?.()) ?? secondDevice?.token ?? ''
              return { session, ...hook('signOut', signOut.command, { TWOTOKEN_SESSION: session }) }
            },
          }
        : undefined,
    revokeKeyHook:
      revokeKey && key !== undefined
        ? { key, ...hook('revokeKey', revokeKey.command, { TWOTOKEN_KEY: key }) }
        : undefined,
    suspendProjectHook: suspendProject && {
      key: suspendProject.key,
      ...hook('suspendProject', suspendProject.command, { TWOTOKEN_KEY: suspendProject.key }),
    },
    rotateKeysHook: rotateKeys && hook('rotateKeys', rotateKeys.command, {}),
  }
}

interface NamedHook {
  readonly name: string
  readonly command: string
  /** Variables that say what it is about. */
  readonly told: Readonly<Record<string, string>>
}

/** Runs a command of `hooks`. Throws `ControlLost` where it fails. */
export async function runHook(
  configuration: Configuration,
  environment: NodeJS.ProcessEnv,
  { name, command, told }: NamedHook,
): Promise<void> {
  const outcome = await runCommand(command, {
    directory: configuration.directory,
    environment: { ...givenEnvironment(environment, configuration, command), ...told },
    commandSeconds: hookSeconds,
    mayBeSilent: true,
  })
  if ('failure' in outcome) throw new ControlLost(`hooks.${name} ${outcome.failure}; ${givenAdvice}`)
}
