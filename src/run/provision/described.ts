import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describedBackend, describedMint, describedSignaling } from '../../../fixtures/images/reference.ts'
import type { StackSecrets } from '../../../fixtures/images/secrets.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { BackendConfiguration } from '../../roles/backend/types.ts'
import type { StartedContainer } from './containers/container.ts'
import type { Chosen, Part } from './parts.ts'
import { referenceJwksPath } from './wanted.ts'
import type { Wires } from './wires.ts'

/** The configuration as it stands once the containers have their addresses. */
export async function describedStack(
  base: Configuration,
  chosen: readonly Chosen[],
  containers: readonly StartedContainer[],
  secrets: StackSecrets,
  { double }: Wires,
  folder: string,
): Promise<Configuration> {
  const addressOf = (part: Part) => containers.find((container) => container.part === part)?.address
  const moved = (url: string, part: Part) => withHost(url, addressOf(part))
  const isReference = (part: Part) => chosen.some((one) => one.part === part && one.isReference)
  const mintAddress = addressOf('mint')
  const mint =
    base.mint === undefined
      ? describedMint(`http://${mintAddress}`, secrets)
      : { ...base.mint, url: moved(base.mint.url, 'mint').replace(/\/+$/, '') }
  const backend =
    base.backend === undefined
      ? describedBackend(`http://${addressOf('backend')}`, secrets)
      : { ...base.backend, url: moved(base.backend.url, 'backend'), ...sessionsFor(base.backend, secrets) }
  const signaling =
    base.signaling === undefined
      ? describedSignaling(addressOf('signaling') ?? '')
      : { ...base.signaling, url: moved(base.signaling.url, 'signaling') }
  return {
    ...base,
    mint,
    backend: {
      ...backend,
      ...(double === undefined ? {} : { fakeMint: { tls: false, apiKey: mint.apiKey, ...double } }),
    },
    signaling,
    token: {
      ...base.token,
      ...(isReference('mint')
        ? await referenceTokens(mintAddress ?? '', secrets, folder)
        : movedJwks(base, mintAddress)),
    },
    tls: { ca: await trustedFile(base, secrets, folder) },
    ...(base.bundle === undefined && chosen.some((one) => one.isReference)
      ? { bundle: { paths: [join(folder, 'images/public')] } }
      : {}),
  }
}

/** A backend in a container is told the sessions of the run; those that the file names are its own. */
function sessionsFor({ sessions }: BackendConfiguration, secrets: StackSecrets) {
  return Object.keys(sessions).length > 0 ? {} : { sessions: describedBackend('', secrets).sessions }
}

function withHost(url: string, address: string | undefined): string {
  if (address === undefined) return url
  const changed = new URL(url)
  changed.host = address
  return changed.href
}

/** A key set that the mint itself publishes moves with it. */
function movedJwks({ mint, token }: Configuration, address: string | undefined): { jwks?: string } {
  if (token.jwks === undefined) return {}
  if (mint === undefined || !URL.canParse(token.jwks)) return { jwks: token.jwks }
  const isOwn = new URL(token.jwks).origin === new URL(mint.url).origin
  return { jwks: isOwn ? withHost(token.jwks, address) : token.jwks }
}

async function referenceTokens(address: string, { signingKey }: StackSecrets, folder: string) {
  const privateKey = join(folder, 'signing-key.pem')
  await writeFile(privateKey, signingKey, { mode: 0o600 })
  return { jwks: `http://${address}${referenceJwksPath}`, signWith: { alg: 'ES256', privateKey } }
}

async function trustedFile({ tls }: Configuration, { ca }: StackSecrets, folder: string): Promise<string> {
  const file = join(folder, 'ca.pem')
  await writeFile(file, tls.ca === undefined ? ca : `${await readFile(tls.ca, 'utf8')}\n${ca}`)
  return file
}
