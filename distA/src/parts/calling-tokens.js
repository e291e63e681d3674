import { ControlLost } from '../check/judge.js';
export function tokensOfMint(mint, newUser) {
    const long = { ttlSeconds: Math.max(300, mint.minTtlSeconds) };
    let refusesLong = false;
    return {
        async fresh() {
            if (refusesLong)
                return await mint.token(newUser());
            try {
                return await mint.token(newUser(), long);
            }
            catch (error) {
                if (!(error instanceof ControlLost))
                    throw error;
                // Limits on the lifetime are not specified: a service may refuse what it finds too long.
                const token = await mint.token(newUser());
                refusesLong = true;
                return token;
            }
        },
    };
}
export function tokensOfBackend(backend) {
    return { fresh: () => backend.token() };
}
