import { createAdapterSignaling } from '../signaling/adapter.js';
import { createSignaling } from '../signaling/attempt.js';
/** Connects to signaling as its profile says, or through the user's adapter. */
export function signalingDriver(url, access, { limits, ca, ...shared }) {
    if ('adapter' in access)
        return createAdapterSignaling({
            ...shared,
            url,
            modulePath: access.adapter,
            timeoutMs: limits.requestSeconds * 1000,
        });
    return createSignaling({
        ...shared,
        url,
        profile: access.profile,
        ...(ca === undefined ? {} : { ca }),
        frameBytes: limits.bodyBytes,
    });
}
