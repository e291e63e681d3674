import type { StackSecrets } from '../../../fixtures/images/secrets.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { WantedContainer } from './containers/container.ts'
import { environmentOf, type Placeholders } from './containers/placeholders.ts'
import type { Chosen, Part } from './parts.ts'
import type { Wires } from './wires.ts'

const certFile = '/run/twotoken/cert.pem'
const keyFile = '/run/twotoken/key.pem'
const signingKeyFile = '/run/twotoken/signing-key.pem'

/** What a container is told: keys, sessions and addresses as variables, certificates and private keys as files. */
export function wantedOf(
  { part, image, port, env, isReference }: Chosen,
  { keys, sessions, signingKey, signalingTls }: StackSecrets,
  base: Configuration,
  { backendMintUrl, signalingMintUrl }: Wires,
): WantedContainer {
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
    signaling: { JWKS_URL: placeholders.jwksUrl, TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile },
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
    env: environmentOf({ ...common, ...given[part] }, env, placeholders),
    files: files[part],
    withoutHealthCheck: isReference,
  }
}

export const referenceJwksPath = '/.well-known/jwks.json'

function jwksPathOf({ token }: Configuration): string {
  return token.jwks !== undefined && URL.canParse(token.jwks)
    ? new URL(token.jwks).pathname
    : referenceJwksPath
}
