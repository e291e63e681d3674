import type { TestableCertificate } from '../../base/tls/certificates.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { TokenSample } from './token-sample.ts'
import type { VerifyingKey } from './trust-like.ts'

/** What the reference needs to know of the implementation whose parts it replaces. */
export interface Surroundings {
  readonly configuration: Configuration
  readonly sample: TokenSample | null
  /** `token.signWith`, read. */
  readonly signWith: SigningKey | null
  /** Verify the tokens of the implementation. */
  readonly keys: readonly VerifyingKey[]
  /** Of the mint double, where it listens with TLS. */
  readonly doubleCertificate: TestableCertificate | undefined
}
