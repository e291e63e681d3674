import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describedBackend, describedMint, describedSignaling } from '../../../fixtures/images/reference.ts'
import type { StackSecrets } from '../../../fixtures/images/secrets.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { BackendConfiguration } from '../../roles/backend/types.ts'
import { referenceJwksPath } from './container-settings.ts'
import type { StartedContainer } from './engine/container.ts'
import type { ChosenPart, Part } from './images.ts'
import type { MintRoutes } from './mint-routes.ts'

/** The configuration with the addresses of the containers. It writes keys and certificates into the folder. */
export async function describeStack(
  base: Configuration,
  chosen: readonly ChosenPart[],
  containers: readonly StartedContainer[],
  secrets: StackSecrets,
  { double, signalingCallbackUrl: callbackUrl }: MintRoutes,
  folder: string,
): Promise<Configuration> {
  const addressOf = (part: Part) => containers.find((container) => container.part === part)?.address
  const move = (url: string, part: Part) => replaceHost(url, addressOf(part))
  const isReference = (part: Part) => chosen.some((one) => one.part === part && one.isReference)
  const mintAddress = addressOf('mint')
  const mint =
    base.mint === undefined
      ? describedMint(`http://${mintAddress}`, secrets)
      : { ...base.mint, url: move(base.mint.url, 'mint').replace(/(?<!\/)\/+$/, '') }
  const backend =
    base.backend === undefined
      ? describedBackend(`http://${addressOf('backend')}`, secrets)
      : { ...base.backend, url: move(base.backend.url, 'backend'), ...chooseSessions(base.backend, secrets) }
  const signaling =
    base.signaling === undefined
      ? describedSignaling(addressOf('signaling') ?? '')
      : { ...base.signaling, url: move(base.signaling.url, 'signaling') }
  return {
    ...base,
    mint,
    backend: {
      ...backend,
      fakeMint: double === undefined ? undefined : { tls: false, apiKey: mint.apiKey, ...double },
    },
    signaling: callbackUrl === undefined ? signaling : { callbackUrl, ...signaling },
    token: {
      ...base.token,
      ...(isReference('mint')
        ? await writeReferenceTokens(mintAddress ?? '', secrets, folder)
        : moveJwks(base, mintAddress)),
    },
    absent: [
      ...base.absent,
      // Containers of a run have no operator who could change them, unless the file names one.
      ...(Object.keys(base.hooks).length > 0 ? [] : [containersLackHooks]),
      ...(double === undefined ? [] : [doubleLacksTls]),
    ],
    tls: { ca: await writeTrustedFile(base, secrets, folder) },
    bundle:
      base.bundle === undefined && chosen.some((one) => one.isReference)
        ? { paths: [join(folder, 'images/public')] }
        : undefined,
  }
}

const containersLackHooks = { what: 'hooks', reason: 'containers of a run have no operator' } as const
const doubleLacksTls = {
  what: 'mintTls',
  reason: 'containers of a run reach the mint double by plain http',
} as const

/** The sessions that the file names; without any, those that the run gives the backend. */
function chooseSessions({ sessions }: BackendConfiguration, secrets: StackSecrets) {
  return Object.keys(sessions).length > 0 ? {} : { sessions: describedBackend('', secrets).sessions }
}

function replaceHost(url: string, address: string | undefined): string {
  if (address === undefined) return url
  const changed = new URL(url)
  changed.host = address
  return changed.href
}

/** A key set that the mint publishes itself gets the address of its container. */
function moveJwks({ mint, token }: Configuration, address: string | undefined): { jwks?: string } {
  if (token.jwks === undefined) return {}
  if (mint === undefined || !URL.canParse(token.jwks)) return { jwks: token.jwks }
  const isOwn = new URL(token.jwks).origin === new URL(mint.url).origin
  return { jwks: isOwn ? replaceHost(token.jwks, address) : token.jwks }
}

async function writeReferenceTokens(address: string, { signingKey }: StackSecrets, folder: string) {
  const privateKey = join(folder, 'signing-key.pem')
  await writeFile(privateKey, signingKey, { mode: 0o600 })
  return { jwks: `http://${address}${referenceJwksPath}`, signWith: { alg: 'ES256', privateKey } }
}

async function writeTrustedFile(
  { tls }: Configuration,
  { ca }: StackSecrets,
  folder: string,
): Promise<string> {
  const file = join(folder, 'ca.pem')
  await writeFile(file, tls.ca === undefined ? ca : `${await readFile(tls.ca, 'utf8')}\n${ca}`)
  return file
}
