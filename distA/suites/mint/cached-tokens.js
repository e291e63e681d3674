import { jsonAnswer } from './broken-answers.js';
/** Hooks of a mint that hands a token out again whenever `keyOf` says that it knows the request. */
export function cachedTokens(keyOf) {
    // One variant may serve several mints in turn: each has a cache of its own.
    const caches = new WeakMap();
    return {
        success(token, grant, { signing }) {
            const cache = caches.get(signing) ?? new Map();
            caches.set(signing, cache);
            const kept = cache.get(keyOf(grant)) ?? token;
            cache.set(keyOf(grant), kept);
            return jsonAnswer({ token: kept });
        },
    };
}
