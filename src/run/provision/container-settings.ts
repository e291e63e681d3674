import type { StackSecrets } from '../../../fixtures/images/secrets.ts'
import { omitUndefined } from '../../base/omit-undefined.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { ContainerSettings } from './engine/container.ts'
import type { ChosenPart, Part } from './images.ts'
import type { MintRoutes } from './mint-routes.ts'

const certFile = '/run/twotoken/cert.pem'
const keyFile = '/run/twotoken/key.pem'
const signingKeyFile = '/run/twotoken/signing-key.pem'

/** The names that `start.containers.PART.env` may use for values that are known only during a run. */
export interface Placeholders {
  readonly mintUrl: string
  readonly apiKey: string
  readonly jwksUrl: string
  readonly mintKeys: string
  readonly sessions: string
}

/** The settings of a container: keys, sessions and addresses as variables, certificates and private keys as files. */
export function describeContainer(
  { part, image, port, env, limits, isReference }: ChosenPart,
  { keys, sessions, signingKey, signalingTls }: StackSecrets,
  base: Configuration,
  { backendMintUrl, signalingMintUrl }: MintRoutes,
): ContainerSettings {
  const mintUrl = part === 'signaling' ? signalingMintUrl : backendMintUrl
  const placeholders: Placeholders = {
    mintUrl,
    apiKey: base.backend?.fakeMint?.apiKey ?? base.mint?.apiKey ?? keys.active,
    jwksUrl: mintUrl + jwksPathOf(base),
    mintKeys: JSON.stringify(keys),
    sessions: JSON.stringify(sessions),
  }
  const common = { HOST: '0.0.0.0', PORT: String(port) }
  const given: Record<Part, Record<string, string>> = {
    mint: { MINT_KEYS: placeholders.mintKeys, SIGNING_KEY_FILE: signingKeyFile },
    backend: { MINT_URL: mintUrl, MINT_API_KEY: placeholders.apiKey, SESSIONS: placeholders.sessions },
    signaling: {
      JWKS_URL: placeholders.jwksUrl,
      TLS_CERT_FILE: certFile,
      TLS_KEY_FILE: keyFile,
      // The mint is the reference's where none is described.
      ...omitUndefined({ ISSUER: isReference && base.mint === undefined ? referenceIssuer : undefined }),
    },
  }
  const files: Record<Part, Record<string, string>> = {
    mint: { [signingKeyFile]: signingKey },
    backend: {},
    signaling: { [certFile]: signalingTls.cert, [keyFile]: signalingTls.key },
  }
  return {
    part,
    image,
    port,
    env: fillEnvironment({ ...common, ...given[part] }, env, placeholders),
    files: files[part],
    limits,
    withoutHealthCheck: isReference,
  }
}

/** Issuer of the reference's mint where it is not told an address. */
const referenceIssuer = 'http://mint:8080'

export const referenceJwksPath = '/.well-known/jwks.json'

function jwksPathOf({ token }: Configuration): string {
  return token.jwks !== undefined && URL.canParse(token.jwks)
    ? new URL(token.jwks).pathname
    : referenceJwksPath
}

/** The environment of a container: the given variables, overridden by those of the configuration. */
export function fillEnvironment(
  given: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, string>>,
  placeholders: Placeholders,
): Record<string, string> {
  const filled = Object.entries(wanted).map(([name, value]) => [
    name,
    value.replace(/\{(\w+)\}/g, (written, key: string) =>
      Object.hasOwn(placeholders, key) ? placeholders[key as keyof Placeholders] : written,
    ),
  ])
  return { ...given, ...Object.fromEntries(filled) }
}
