import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { StartedMint } from '../../../fixtures/mint/server.ts'
import { referenceSignalingPolicy } from '../../../fixtures/signaling/policy.ts'
import { startSignaling } from '../../../fixtures/signaling/server.ts'
import { createLoopbackTls } from '../../../fixtures/tls/loopback.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { Surroundings } from './surroundings.ts'
import { verifyLike } from './trust-like.ts'

/** It verifies the tokens of the implementation, or those of this mint. */
export async function replaceSignaling(
  configuration: Configuration,
  { mint, sample, keys }: Surroundings & { readonly mint: StartedMint | null },
  parts: AsyncDisposableStack,
): Promise<Configuration> {
  const { callbackUrl } = configuration.signaling ?? {}
  const server = createLoopbackTls()
  const { path } = parts.use(await openTempFolder())
  const ca = join(path, 'ca.pem')
  const trusted = configuration.tls.ca === undefined ? '' : await readFile(configuration.tls.ca, 'utf8')
  await writeFile(ca, `${trusted}\n${server.ca}`)
  const { url, profile } = parts.use(
    await startSignaling({
      tls: server.server,
      ...(mint === null
        ? // Only the keys of the policy verify.
          { secret: '', policy: { ...referenceSignalingPolicy, ...verifyLike(sample, keys) } }
        : { jwksUrl: mint.jwksUrl }),
    }),
  )
  return {
    ...configuration,
    signaling: {
      url,
      allowInsecureTransport: false,
      access: { profile },
      callbackUrl,
    },
    tls: { ...configuration.tls, ca },
  }
}
