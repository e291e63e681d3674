import { compactVerify, errors, importJWK, type JWK } from 'jose'
import { TwotokenError } from '../../base/errors.ts'
import type { HttpClient } from '../../base/http/client.ts'
import { readToken } from '../../base/tokens/decode.ts'
import { loadJwks } from '../../base/tokens/jwks.ts'
import { loadSigningKey } from '../../base/tokens/signing-key.ts'
import type { TokenConfiguration } from '../../base/tokens/token-configuration.ts'
import type { Problem } from './problem.ts'

/** Checks that the key set verifies an ordinary token, and that the key to forge with can be read. */
export async function findTokenProblems(
  { jwks, signWith }: TokenConfiguration,
  http: HttpClient,
  ordinary: string | null,
): Promise<Problem[]> {
  const problems: Problem[] = []
  if (jwks !== undefined) {
    const complain = (message: string) =>
      void problems.push({ part: 'token', kind: 'url', message, fatal: true })
    const keys = await loadJwks(jwks, http).catch((error: Error) =>
      complain(
        `token.jwks (${jwks}) cannot be used: ${error.message}; expected a JSON Web Key Set: correct the address, or remove it`,
      ),
    )
    if (keys && ordinary !== null && (await signsNone(keys, ordinary)))
      complain(
        `no key in token.jwks (${jwks}) verifies an ordinary calling token: the address belongs to another environment, or the service does not publish its signing key`,
      )
  }
  if (signWith !== undefined)
    await loadSigningKey(signWith).catch((error: unknown) => {
      if (!(error instanceof TwotokenError)) throw error
      const message = `${error.message}; expected the key that signaling trusts: correct the path or the algorithm`
      problems.push({ part: 'token', kind: 'credential', message, fatal: true })
    })
  return problems
}

/** False for a token that no published key can sign: one with a shared secret, or encrypted. */
async function signsNone(keys: JWK[], jwt: string): Promise<boolean> {
  const alg = String(readToken(jwt)?.header['alg'])
  if (!/^(?:RS|PS|ES)\d{3}$|^EdDSA$/.test(alg)) return false
  const candidates = keys.filter(({ use }) => use !== 'enc')
  const verified = await Promise.all(
    candidates.map(async (key) => {
      const imported = await importJWK(key, alg).catch(() => null)
      return (
        imported !== null &&
        (await compactVerify(jwt, imported).then(
          () => true,
          // What this suite cannot verify, it does not call wrong.
          (error: unknown) => !(error instanceof errors.JWSSignatureVerificationFailed),
        ))
      )
    }),
  )
  return !verified.includes(true)
}
