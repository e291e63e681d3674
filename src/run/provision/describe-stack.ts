import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { built } from '../../../fixtures/built.ts'
import { describedBackend, describedMint, describedSignaling } from '../../../fixtures/images/reference.ts'
import type { StackSecrets } from '../../../fixtures/images/secrets.ts'
import { omitUndefined } from '../../base/omit-undefined.ts'
import type { AbsentName, Configuration } from '../../configuration/configuration.ts'
import type { BackendConfiguration } from '../../roles/backend/configuration.ts'
import type { ChosenPart } from './engine/container.ts'
import type { MintRoutes } from './mint-routes.ts'

/** The configuration with the addresses of the containers. It writes keys and certificates into the folder. */
export async function describeStack(
  base: Configuration,
  chosen: readonly ChosenPart[],
  addresses: ReadonlyMap<string, string>,
  secrets: StackSecrets,
  { double, signalingCallbackUrl: callbackUrl }: MintRoutes,
  folder: string,
): Promise<Configuration> {
  // Those that the file names; without any, those that the run gives the backend.
  const sessionsOf = ({ sessions }: BackendConfiguration) =>
    Object.keys(sessions).length > 0 ? sessions : describedBackend('', secrets).sessions
  const move = (url: string, part: string) => replaceHost(url, addresses.get(part))
  const references = chosen.filter(({ isReference }) => isReference).map(({ part }) => part)
  const mintAddress = addresses.get('mint')
  const mint =
    base.mint === undefined
      ? describedMint(`http://${mintAddress}`, secrets)
      : { ...base.mint, url: move(base.mint.url, 'mint').replace(/(?<!\/)\/+$/, '') }
  const backend =
    base.backend === undefined
      ? describedBackend(`http://${addresses.get('backend')}`, secrets)
      : { ...base.backend, url: move(base.backend.url, 'backend'), sessions: sessionsOf(base.backend) }
  const signaling =
    base.signaling === undefined
      ? describedSignaling(addresses.get('signaling') ?? '')
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
      ...(references.includes('mint')
        ? await writeReferenceTokens(mintAddress ?? '', secrets, folder)
        : moveJwks(base, mintAddress)),
    },
    absent: [
      ...base.absent,
      ...absentIf(Object.keys(base.hooks).length === 0, 'hooks', 'containers of a run have no operator'),
      ...absentIf(double !== undefined, 'mintTls', 'containers of a run reach the mint double by plain http'),
    ],
    tls: { ca: await writeTrustedFile(base, secrets, folder) },
    bundle: base.bundle === undefined && references.length > 0 ? { paths: [built('app/page')] } : undefined,
  }
}

function absentIf(isAbsent: boolean, what: AbsentName, reason: string) {
  return isAbsent ? [{ what, reason }] : []
}

function replaceHost(url: string, address: string | undefined): string {
  if (address === undefined) return url
  const changed = new URL(url)
  changed.host = address
  return changed.href
}

/** A key set that the mint publishes itself gets the address of its container. */
function moveJwks({ mint, token }: Configuration, address: string | undefined): { jwks?: string } {
  const { jwks = '' } = token
  const isOwn = mint !== undefined && URL.canParse(jwks) && new URL(jwks).origin === new URL(mint.url).origin
  return isOwn ? { jwks: replaceHost(jwks, address) } : {}
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

const certFile = '/run/twotoken/cert.pem'
const keyFile = '/run/twotoken/key.pem'
const signingKeyFile = '/run/twotoken/signing-key.pem'

/** The input of a container: keys, sessions and addresses as variables, certificates and private keys as files. */
export function describeContainer(
  chosen: ChosenPart,
  { keys, sessions, signingKey, signalingTls }: StackSecrets,
  base: Configuration,
  { backendMintUrl, signalingMintUrl }: MintRoutes,
): { readonly settings: ChosenPart; readonly files: Readonly<Record<string, string>> } {
  const { part, port, env, isReference } = chosen
  const mintUrl = part === 'signaling' ? signalingMintUrl : backendMintUrl
  const apiKey = base.backend?.fakeMint?.apiKey ?? base.mint?.apiKey ?? keys.active
  const { jwks = '' } = base.token
  const jwksUrl = mintUrl + (URL.canParse(jwks) ? new URL(jwks).pathname : referenceJwksPath)
  const [mintKeys, sessionsJson] = [JSON.stringify(keys), JSON.stringify(sessions)]
  // The names that `start.containers.PART.env` may use for values that are known only during a run.
  const placeholders = { mintUrl, apiKey, jwksUrl, mintKeys, sessions: sessionsJson }
  const common = { HOST: '0.0.0.0', PORT: String(port) }
  const given: Record<ChosenPart['part'], Record<string, string>> = {
    mint: { MINT_KEYS: mintKeys, SIGNING_KEY_FILE: signingKeyFile },
    backend: { MINT_URL: mintUrl, MINT_API_KEY: apiKey, SESSIONS: sessionsJson },
    signaling: {
      JWKS_URL: jwksUrl,
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: keyFile,
      // The mint is the reference's where none is described.
      ...omitUndefined({ ISSUER: isReference && base.mint === undefined ? referenceIssuer : undefined }),
    },
  }
  const files: Record<ChosenPart['part'], Record<string, string>> = {
    mint: { [signingKeyFile]: signingKey },
    backend: {},
    signaling: { [certFile]: signalingTls.cert, [keyFile]: signalingTls.key },
  }
  const filled = fillEnvironment({ ...common, ...given[part] }, env, placeholders)
  return { settings: { ...chosen, env: filled }, files: files[part] }
}

/** Issuer of the reference's mint where it is not told an address. */
const referenceIssuer = 'http://mint:8080'

const referenceJwksPath = '/.well-known/jwks.json'

export function fillEnvironment(
  given: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
  placeholders: Readonly<Record<string, string>>,
): Record<string, string> {
  const filled = Object.entries(wanted).map(([name, value]) => [
    name,
    value.replace(
      /\{(\w+)\}/g,
      (written, key: string) => (Object.hasOwn(placeholders, key) && placeholders[key]) || written,
    ),
  ])
  return { ...given, ...Object.fromEntries(filled) }
}
