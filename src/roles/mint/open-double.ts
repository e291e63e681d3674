import type { TestableCertificate } from '../../base/tls/certificates.ts'
import type { SigningKey } from '../../base/tokens/signing-key.ts'
import { type MintDouble, type MintDoubleOptions, startMintDouble } from './double.ts'
import type { Mint } from './driver.ts'
import { createForwardingIssuer, createSigningIssuer } from './issuer.ts'

interface OpenMintDoubleOptions extends Omit<MintDoubleOptions, 'fakeMint' | 'issuer' | 'certificate'> {
  /** With a real mint, the double forwards what it is asked, and its tokens are real. */
  readonly realMint: Mint | undefined
  /** Key that signs the tokens where there is no real mint; a new key where it is null. */
  readonly testKey: SigningKey | null
  readonly certificate: TestableCertificate | undefined
}

/** Starts the mint that the backend under test asks. @throws TwotokenError where it cannot listen */
export async function openMintDouble(
  fakeMint: MintDoubleOptions['fakeMint'],
  { realMint, testKey, certificate, ...shared }: OpenMintDoubleOptions,
): Promise<MintDouble> {
  const issuer =
    realMint === undefined
      ? await createSigningIssuer(testKey, () => shared.clock.wall())
      : createForwardingIssuer(realMint)
  return await startMintDouble({
    ...shared,
    fakeMint,
    issuer,
    certificate,
  })
}
