import { readFile } from 'node:fs/promises';
import { importJWK, importPKCS8 } from 'jose';
import { TwotokenError } from '../errors.js';
/** Reads a PKCS#8 PEM or JWK file, or takes the shared secret. */
export async function loadSigningKey(signWith) {
    const { alg } = signWith;
    if ('secret' in signWith)
        return { alg, key: new TextEncoder().encode(signWith.secret) };
    try {
        const text = await readFile(signWith.privateKey, 'utf8');
        const key = text.trimStart().startsWith('{')
            ? await importJWK(JSON.parse(text), alg)
            : await importPKCS8(text, alg);
        return { alg, key };
    }
    catch (error) {
        const message = `token.signWith.privateKey is not a readable PKCS#8 PEM or JWK file for ${alg}: ${signWith.privateKey}`;
        throw new TwotokenError('configuration', message, error);
    }
}
