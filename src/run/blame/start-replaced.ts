import type { StartedMint } from '../../../fixtures/mint/server.ts'
import type { TestableCertificate } from '../../base/tls/certificates.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { ReplaceablePart } from '../../requirement/blame.ts'
import { replaceBackend } from './replace-backend.ts'
import { describeMint, startMintLike } from './replace-mint.ts'
import { replaceSignaling } from './replace-signaling.ts'
import type { Surroundings } from './surroundings.ts'

/** The implementation with the reference as some of its parts. */
export interface ReplacedStack extends AsyncDisposable {
  readonly configuration: Configuration
  readonly doubleCertificate: TestableCertificate | undefined
}

/** Starts the reference as these parts on loopback. The configuration describes each as it described the part. */
export async function startReplaced(
  replaced: readonly ReplaceablePart[],
  surroundings: Surroundings,
): Promise<ReplacedStack> {
  await using parts = new AsyncDisposableStack()
  let { configuration, doubleCertificate } = surroundings
  let mint: StartedMint | null = null
  if (replaced.includes('mint')) {
    mint = parts.use(await startMintLike(surroundings, replaced.includes('signaling')))
    configuration = await describeMint(mint, configuration, replaced.includes('signaling'), parts)
  }
  if (replaced.includes('backend'))
    ({ configuration, doubleCertificate } = await replaceBackend(configuration, parts))
  if (replaced.includes('signaling'))
    configuration = await replaceSignaling(configuration, { mint, ...surroundings }, parts)
  const stop = parts.move()
  return { configuration, doubleCertificate, [Symbol.asyncDispose]: () => stop.disposeAsync() }
}
