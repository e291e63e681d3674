import { query } from 'jsonpath-rfc9535';
import { isRecord } from './decode.js';
import { jsonPaths } from './json-paths.js';
/**
 * The paths in a token's claims that hold exactly this userId. With a claim named by the configuration, that one
 * only: a literal name, or a JSONPath when it begins with `$`.
 */
export function pathsHolding(claims, userId, claim) {
    if (claim === 'auto')
        return jsonPaths(claims)
            .filter(({ value }) => value === userId)
            .map(({ path }) => path);
    return valuesAt(claims, claim).some((value) => value === userId) ? [claim] : [];
}
/** What the claims hold at a path of `pathsHolding`, for the sentence that says what was seen instead. */
function valuesAt(claims, path) {
    if (!path.startsWith('$'))
        return isRecord(claims) && path in claims ? [claims[path]] : [];
    return query(claims, path);
}
