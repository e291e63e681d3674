import { cluesFor } from './clues.js';
import { createClueMarker } from './mark-clues.js';
const made = new Map();
export function fragmentsOf(prefix) {
    const known = made.get(prefix);
    if (known !== undefined)
        return known;
    const wanted = cluesFor(prefix);
    const inText = (text) => wanted.some(({ sign, confirms }) => sign.test(text) && confirms(text));
    const mark = createClueMarker(wanted);
    const fragments = {
        inText,
        inBytes(bytes) {
            if (mark === null)
                return inText(bytes.toString('latin1'));
            const signed = mark(bytes);
            if (signed.size === 0)
                return false;
            const text = bytes.toString('latin1');
            return [...signed].some(({ confirms }) => confirms(text));
        },
    };
    made.set(prefix, fragments);
    return fragments;
}
