import { randomInt } from 'node:crypto';
import { fingerprintOf } from '../fingerprint.js';
import { shapeOf } from '../key-shape.js';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Keys of a strong shape, each different; the length is the suffix's. @param below a random number from 0 to one less than its argument */
export function createCanaries(prefix, below = (limit) => randomInt(limit)) {
    const seen = new Set();
    return (length = 24) => {
        for (;;) {
            const suffix = Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
            if (shapeOf(suffix) !== 'strong' || seen.has(suffix))
                continue;
            seen.add(suffix);
            const key = prefix + suffix;
            return { key, fingerprint: fingerprintOf(key) };
        }
    };
}
