import { TwotokenError } from '../../base/errors.ts'
import { createJournal } from '../../base/evidence/exchange.ts'
import { createSecrets } from '../../base/evidence/secrets.ts'
import { preflightLifetimeSeconds } from '../../base/times.ts'
import { createServerCertificate, type TestableCertificate } from '../../base/tls/certificates.ts'
import type { FakeMintConfiguration } from '../../roles/mint/configuration.ts'
import { type ScriptedMint, startMintDouble } from '../../roles/mint/double.ts'
import { createMint } from '../../roles/mint/driver.ts'
import { chooseIssuer } from '../../roles/mint/issuer.ts'
import { anyUserId } from '../../roles/mint/user-ids.ts'
import type { Probing } from './probe.ts'
import type { Problem } from './problem.ts'

/**
 * Runs the mint double where the backend was pointed at it, while `use` asks the backend; or says why it cannot listen there.
 * @param certificate that of the double in this run; an untrusted one where absent
 * @param forwards true where the real mint issues the tokens that the double hands out
 */
export async function withListeningDouble<T>(
  fakeMint: FakeMintConfiguration,
  { configuration: { mint, token, limits }, http, clock }: Probing,
  { certificate, forwards }: { certificate: TestableCertificate | undefined; forwards: boolean },
  use: (double: ScriptedMint) => Promise<T>,
): Promise<T | Problem> {
  const secrets = createSecrets()
  const newUser = () => anyUserId(mint?.userIds, 'tt-preflight')
  const real = mint && forwards ? createMint({ mint, token, http, secrets, clock, newUser }) : undefined
  // An untrusted one still shows that the backend connects.
  const proof = fakeMint.tls
    ? (certificate ?? createServerCertificate({ names: [fakeMint.host] }))
    : undefined
  const double = await startMintDouble({
    fakeMint,
    issuer: await chooseIssuer(real, clock),
    journal: createJournal(),
    secrets,
    clock,
    bodyBytes: limits.bodyBytes,
    certificate: proof,
  }).catch((error: unknown): Problem => {
    if (!(error instanceof TwotokenError)) throw error
    return { part: 'backend', kind: 'port', message: error.message, fatal: true }
  })
  if ('kind' in double) return double
  await using listening = double
  return await listening.scripted(async (scripted) => {
    scripted.lifetime(preflightLifetimeSeconds)
    return await use(scripted)
  })
}
