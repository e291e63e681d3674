import type { StackSecrets } from '../../../fixtures/images/secrets.ts'
import { omitUndefined } from '../../base/omit-undefined.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { ChosenPart } from './engine/container.ts'
import type { MintRoutes } from './mint-routes.ts'

const certFile = '/run/twotoken/cert.pem'
const keyFile = '/run/twotoken/key.pem'
const signingKeyFile = '/run/twotoken/signing-key.pem'

/** What a container is given: keys, sessions and addresses as variables, certificates and private keys as files. */
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

export const referenceJwksPath = '/.well-known/jwks.json'

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
