import { TwotokenError } from '../errors.js';
import { loadJwks } from '../tokens/jwks.js';
import { loadSigningKey } from '../tokens/signing-key.js';
/** Whether the key set can be read (only few cases need it), and the key that tokens are to be forged with. */
export async function tokenProblems({ jwks, signWith }, http) {
    const problems = [];
    if (jwks !== undefined)
        await loadJwks(jwks, http).catch((error) => {
            const message = `token.jwks (${jwks}) gives no keys: ${error.message}; expected a JSON Web Key Set: correct the address, or remove it`;
            problems.push({ part: 'token', kind: 'url', message, fatal: false });
        });
    if (signWith !== undefined)
        await loadSigningKey(signWith).catch((error) => {
            if (!(error instanceof TwotokenError))
                throw error;
            const message = `${error.message}; expected the key that signaling trusts: correct the path or the algorithm`;
            problems.push({ part: 'token', kind: 'credential', message, fatal: true });
        });
    return problems;
}
