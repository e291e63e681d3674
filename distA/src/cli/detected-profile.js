import { detect } from '../detect/detect.js';
import { citedExchanges } from '../detect/words.js';
const mark = 'rests on a detected profile: see whether it is right with twotoken detect';
/** A run is about judging: what cannot be found out in this time is left to twotoken detect. */
const seconds = 90;
/** Whether some of the checks need a profile that the configuration does not have, and one could be found. */
export function needsDetection({ signaling, mint, backend }, checks) {
    if (signaling === undefined || signaling.access !== undefined)
        return false;
    // A double of ours that stands in for the mint has nothing that this signaling would accept.
    const hasTokens = mint !== undefined || (backend !== undefined && backend.fakeMint === undefined);
    return hasTokens && checks.some((check) => check.needs.includes('signaling'));
}
export async function detectedProfile(configuration, { maxMints, signal, onProgress, }) {
    const { backend, ...withoutBackend } = configuration;
    const described = configuration.mint === undefined ? configuration : withoutBackend;
    const detection = await detect(described, {
        parts: ['signaling'],
        bounds: { seconds, ...(maxMints === undefined ? {} : { mints: maxMints }) },
        signal,
        onProgress,
    });
    const { signaling, secrets, mints } = detection;
    const renamed = citedExchanges(detection).map((exchange) => ({ ...exchange, id: `d${exchange.id}` }));
    const shared = { exchanges: renamed, secrets, mints };
    if ('missing' in signaling)
        return { profile: null, missing: signaling.missing, ...shared };
    const { profile, confirmation } = signaling.found;
    const missing = confirmation.letsDamagedIn
        ? 'a profile was found by which a token with a damaged signature is let in: nobody is accused by it before somebody has looked at it with twotoken detect and written it down'
        : null;
    return { profile, missing, ...shared };
}
/** The configuration with what was found in the place of the missing profile. */
export function withProfile(configuration, { profile, missing }) {
    const { signaling } = configuration;
    if (signaling === undefined || profile === null || missing !== null)
        return configuration;
    return { ...configuration, signaling: { ...signaling, access: { profile } } };
}
/** Says of every verdict that rests on what was found that it does, and of the others why nothing was. */
export function marked(results, checks, { missing }) {
    const concerned = new Set(checks.filter(({ needs }) => needs.includes('signaling')).map(({ id }) => id));
    return results.map((result) => {
        if (!concerned.has(result.id))
            return result;
        const reason = [result.reason, missing === null ? mark : `nothing was detected: ${missing}`];
        return {
            ...result,
            reason: reason.filter((text) => text !== null).join('; '),
            ...(missing === null ? { detected: true } : {}),
        };
    });
}
/** The profile among the observations, and the exchanges that it was found in. */
export function withDetection(results, { profile, missing, exchanges }) {
    if (profile === null || missing !== null)
        return results;
    return {
        ...results,
        observations: { ...results.observations, 'signaling.detectedProfile': profile },
        exchanges: [...exchanges, ...results.exchanges],
    };
}
