import { generateKeyPair, SignJWT } from 'jose';
let ownKey;
/** Signs with the operator's test key, or with one of this process. */
export function createIssuing(given, { userIdClaim }, redactor, { monotonic, wall }) {
    const issued = [];
    const named = userIdClaim === 'auto' || userIdClaim.startsWith('$') ? [] : [userIdClaim];
    return {
        issued,
        isExpired: ({ expiresAt }) => expiresAt <= wall() / 1000,
        find: (jwt) => issued.find((token) => token.jwt === jwt),
        async issue(userId, lifetimeSeconds) {
            ownKey ??= generateKeyPair('ES256').then(({ privateKey }) => ({ alg: 'ES256', key: privateKey }));
            const { alg, key } = given ?? (await ownKey);
            const now = Math.floor(wall() / 1000);
            const claims = Object.fromEntries(['userId', ...named].map((claim) => [claim, userId]));
            const jwt = await new SignJWT({ ...claims, jti: crypto.randomUUID() })
                .setSubject(userId)
                .setProtectedHeader({ alg, typ: 'JWT' })
                .setIssuedAt(now)
                .setExpirationTime(now + lifetimeSeconds)
                .sign(key);
            redactor.register('calling-jwt', jwt);
            issued.push({ jwt, userId, at: monotonic(), expiresAt: now + lifetimeSeconds });
            return jwt;
        },
    };
}
