import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { referenceMintPolicy } from '../../../fixtures/mint/policy.ts'
import { type StartedMint, startMint } from '../../../fixtures/mint/server.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import { answerLike, issueLike } from './mint-like.ts'
import type { Surroundings } from './surroundings.ts'

/** Its tokens have the implementation's form where another part than the reference reads them. */
export async function startMintLike(
  { sample, signWith }: Surroundings,
  isForReference: boolean,
): Promise<StartedMint> {
  const tokens = isForReference ? {} : issueLike(sample, signWith)
  return await startMint({ policy: { ...referenceMintPolicy, ...tokens, ...answerLike(sample) } })
}

/** The configuration with this mint, and with its keys where signaling is the reference as well. */
export async function describeMint(
  { url, keys, jwksUrl, signWith }: StartedMint,
  configuration: Configuration,
  isForReference: boolean,
  parts: AsyncDisposableStack,
): Promise<Configuration> {
  const { mint, token } = configuration
  const inState = (name: 'trialEnded' | 'suspended' | 'capped') =>
    mint?.keys[name] === undefined ? {} : { [name]: { key: keys[name], attested: true } }
  const described: Configuration['mint'] = {
    url,
    apiKey: keys.active,
    otherProjectKey: mint?.otherProjectKey && keys.otherProject,
    keys: { ...inState('trialEnded'), ...inState('suspended'), ...inState('capped') },
    minTtlSeconds: 1,
    userIds: mint?.userIds,
  }
  if (!isForReference || !('privateKey' in signWith)) return { ...configuration, mint: described }
  const { path } = parts.use(await openTempFolder())
  const privateKey = join(path, 'signing-key.pem')
  await writeFile(privateKey, signWith.privateKey, { mode: 0o600 })
  return {
    ...configuration,
    mint: described,
    token: {
      field: token.field,
      userIdClaim: 'auto',
      jwks: token.jwks && jwksUrl,
      signWith: token.signWith && { alg: signWith.alg, privateKey },
    },
  }
}
