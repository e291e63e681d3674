import { join } from 'node:path'
import { startAppAlone } from '../../../fixtures/app/alone.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { resolveConfiguration } from '../../configuration/load.ts'
import type { Chosen } from './parts.ts'

/**
 * The reference's page as the client under test, where the configuration describes none and the reference was built. It
 * is opened by a browser on this machine, so no container holds it.
 */
export async function referencePage(
  base: Configuration,
  chosen: readonly Chosen[],
  { folder, signalingUrl }: { readonly folder: string; readonly signalingUrl: string },
  stack: AsyncDisposableStack,
): Promise<Pick<Configuration, 'client'>> {
  if (base.client !== undefined || !chosen.some(({ isReference }) => isReference)) return {}
  const { client: written } = stack.use(await startAppAlone(join(folder, 'images/public'), signalingUrl))
  const { client } = await resolveConfiguration({ client: written }, { directory: folder, environment: {} })
  return client === undefined ? {} : { client }
}
