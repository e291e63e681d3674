import { headerOf } from '../http/headers.js';
export function lifetimeOf(token, answer, wallNow) {
    const exp = token?.claims?.['exp'];
    if (typeof exp !== 'number')
        return { byClaims: null, byClock: null };
    const iat = token?.claims?.['iat'];
    const date = Date.parse(headerOf(answer.headers, 'date') ?? '');
    const now = Number.isNaN(date) ? wallNow / 1000 : date / 1000;
    return { byClaims: typeof iat === 'number' ? exp - iat : null, byClock: exp - now };
}
