import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { MintFailure, type MintReply } from '../../../fixtures/backend/mint-client.ts'
import { referenceBackendPolicy } from '../../../fixtures/backend/policy.ts'
import { demoUsers } from '../../../fixtures/backend/seeds.ts'
import { startBackend } from '../../../fixtures/backend/server.ts'
import { referenceMintPolicy } from '../../../fixtures/mint/policy.ts'
import { type StartedMint, startMint } from '../../../fixtures/mint/server.ts'
import { reservePort } from '../../../fixtures/reserve-port.ts'
import { referenceSignalingPolicy } from '../../../fixtures/signaling/policy.ts'
import { startSignaling } from '../../../fixtures/signaling/server.ts'
import { createLoopbackTls } from '../../../fixtures/tls/loopback.ts'
import { parsedJson } from '../../base/http/incoming.ts'
import { openTempFolder } from '../../base/temp-folder.ts'
import { createServerCertificate, type TestableCertificate } from '../../base/tls/certificates.ts'
import { locateToken } from '../../base/tokens/locate-token.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { ReplaceablePart } from '../../requirement/blame.ts'
import { answerLike, issueLike } from './mint-like.ts'
import type { TokenSample } from './token-sample.ts'
import { verifyLike } from './trust-like.ts'

export interface Surroundings {
  readonly configuration: Configuration
  readonly sample: TokenSample | null
  /** `token.signWith`, read. */
  readonly signWith: SigningKey | null
  /** Verify the tokens of the implementation. */
  readonly keys: Parameters<typeof verifyLike>[1]
  /** Of the mint double, where it listens with TLS. */
  readonly doubleCertificate: TestableCertificate | undefined
}

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

/** Its tokens have the implementation's form where another part than the reference reads them. */
async function startMintLike(
  { sample, signWith }: Surroundings,
  isForReference: boolean,
): Promise<StartedMint> {
  const tokens = isForReference ? {} : issueLike(sample, signWith)
  return await startMint({ policy: { ...referenceMintPolicy, ...tokens, ...answerLike(sample) } })
}

async function describeMint(
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
    ...(mint?.otherProjectKey === undefined ? {} : { otherProjectKey: keys.otherProject }),
    keys: { ...inState('trialEnded'), ...inState('suspended'), ...inState('capped') },
    minTtlSeconds: 1,
    ...(mint?.userIds === undefined ? {} : { userIds: mint.userIds }),
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
      ...(token.jwks === undefined ? {} : { jwks: jwksUrl }),
      ...(token.signWith === undefined ? {} : { signWith: { alg: signWith.alg, privateKey } }),
    },
  }
}

/** Half of the time that a backend has by default until it must answer: this machine may be busy. */
const mintDeadlineMs = 7_500

/** It mints for the configured users, at the mint or the double that the configuration names. */
async function replaceBackend(
  configuration: Configuration,
  parts: AsyncDisposableStack,
): Promise<{ configuration: Configuration; doubleCertificate: TestableCertificate | undefined }> {
  const { backend, mint, tls, token } = configuration
  const { sessions, fakeMint } = backend ?? {}
  const port = fakeMint === undefined ? 0 : parts.use(await reservePort()).port
  const certificate = fakeMint?.tls === true ? createServerCertificate({ names: ['127.0.0.1'] }) : undefined
  const trusted = tls.ca === undefined ? [] : [...rootCertificates, await readFile(tls.ca, 'utf8')]
  const mintCa = certificate?.ca ?? (trusted.length === 0 ? undefined : trusted.join('\n'))
  const [alice, bob] = demoUsers()
  const users = [
    { ...alice, userId: sessions?.alice?.userId ?? '' },
    { ...bob, userId: sessions?.bob?.userId ?? 'u-bob' },
  ] as NonNullable<Parameters<typeof startBackend>[0]['users']>
  const started = parts.use(
    await startBackend({
      mintUrl:
        fakeMint === undefined ? (mint?.url ?? '') : `${fakeMint.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
      apiKey: fakeMint?.apiKey ?? mint?.apiKey ?? '',
      users,
      ...(mintCa === undefined ? {} : { mintCa }),
      policy: {
        ...referenceBackendPolicy,
        mintDeadlineMs,
        readToken: (reply) => tokenIn(reply, token.field),
      },
    }),
  )
  const given = Object.entries(started.sessions).filter(([name]) => name in (sessions ?? {}))
  return {
    configuration: {
      ...configuration,
      backend: {
        url: started.tokenUrl,
        method: backend?.method ?? 'POST',
        sessions: Object.fromEntries(given),
        ...(fakeMint === undefined ? {} : { fakeMint: { ...fakeMint, host: '127.0.0.1', port } }),
      },
    },
    doubleCertificate: certificate,
  }
}

function tokenIn(reply: MintReply, field: string): string {
  const { status, body } = reply
  const located = locateToken({ text: body, json: parsedJson(body) }, field)
  if (status < 200 || status > 299 || located.kind !== 'found')
    throw new MintFailure(`the mint answered ${status}`, { reply })
  return located.token
}

async function replaceSignaling(
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
      ...(callbackUrl === undefined ? {} : { callbackUrl }),
    },
    tls: { ...configuration.tls, ca },
  }
}
