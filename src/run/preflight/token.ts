import { TwotokenError } from '../../base/errors.ts'
import type { HttpClient } from '../../base/http/client.ts'
import { loadJwks } from '../../base/tokens/jwks.ts'
import { loadSigningKey } from '../../base/tokens/signing-key.ts'
import type { TokenConfiguration } from '../../base/tokens/token-configuration.ts'
import type { Problem } from './problem.ts'

/**
 * Checks that the key set can be read, and the key that tokens are to be forged with. Only few cases need the
 * key set.
 */
export async function findTokenProblems(
  { jwks, signWith }: TokenConfiguration,
  http: HttpClient,
): Promise<Problem[]> {
  const problems: Problem[] = []
  if (jwks !== undefined)
    await loadJwks(jwks, http).catch((error: Error) => {
      const message = `token.jwks (${jwks}) cannot be used: ${error.message}; expected a JSON Web Key Set: correct the address, or remove it`
      problems.push({ part: 'token', kind: 'url', message, fatal: true })
    })
  if (signWith !== undefined)
    await loadSigningKey(signWith).catch((error: unknown) => {
      if (!(error instanceof TwotokenError)) throw error
      const message = `${error.message}; expected the key that signaling trusts: correct the path or the algorithm`
      problems.push({ part: 'token', kind: 'credential', message, fatal: true })
    })
  return problems
}
