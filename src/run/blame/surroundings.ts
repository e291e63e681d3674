import type { TestableCertificate } from '../../base/tls/certificates.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import type { Configuration } from '../../configuration/configuration.ts'
import type { TokenSample } from './token-sample.ts'
import type { VerifyingKey } from './trust-like.ts'

/** Facts about the implementation that the reference needs in order to replace its parts. */
export interface Surroundings {
  readonly configuration: Configuration
  readonly sample: TokenSample | null
  /** `token.signWith`, read. */
  readonly signWith: SigningKey | null
  /** Verify the tokens of the implementation. */
  readonly keys: readonly VerifyingKey[]
  /** Certificate of the mint double, where it listens with TLS. */
  readonly doubleCertificate: TestableCertificate | undefined
}
