import { createMarker } from '../scan/kernel/marker.js';
import { bucketsFor } from './buckets.js';
import { signLength } from './clues.js';
/** Finds the clues of which a script holds a sign; `null` where the platform has no SIMD, or a clue no marks. */
export function createClueMarker(clues) {
    if (clues.some(({ marks }) => marks === null))
        return null;
    const marked = clues.flatMap((clue) => (clue.marks ?? []).map((mark) => ({ clue, classes: mark.map(codesOf) })));
    const buckets = bucketsFor(marked.map(({ classes }) => classes));
    const visitMarks = createMarker(marked.map(({ classes }, index) => ({ classes, bucket: buckets[index] ?? 0 })));
    if (visitMarks === null)
        return null;
    const cluesAt = createLookup(marked);
    return (script) => {
        const signed = new Set();
        visitMarks(script, (offset, word) => {
            for (const clue of cluesAt(word))
                if (!signed.has(clue) && isSigned(clue, script, offset))
                    signed.add(clue);
        });
        return signed;
    };
}
function isSigned({ sign }, script, offset) {
    return sign.test(script.toString('latin1', Math.max(0, offset - signLength), offset + signLength));
}
function codesOf(chars) {
    return [...Buffer.from(chars, 'latin1')];
}
const bitsPerWord = 32;
/** The clues that four bytes (in little endian) may be a sign of, by a bit for each mark that allows each byte. */
function createLookup(marked) {
    const width = Math.ceil(marked.length / bitsPerWord);
    const allowing = [0, 1, 2, 3].map((place) => {
        const bits = new Int32Array(256 * width);
        marked.forEach(({ classes }, index) => {
            for (const byte of classes[place] ?? []) {
                const at = byte * width + Math.floor(index / bitsPerWord);
                bits[at] = (bits[at] ?? 0) | (1 << (index % bitsPerWord));
            }
        });
        return bits;
    });
    const [first, second, third, fourth] = allowing;
    return (word) => {
        const [a, b, c, d] = [word & 255, (word >> 8) & 255, (word >> 16) & 255, word >>> 24];
        let found = none;
        for (let at = 0; at < width; at++) {
            const bits = first[a * width + at] &
                second[b * width + at] &
                third[c * width + at] &
                fourth[d * width + at];
            if (bits !== 0)
                found = [...found, ...withBits(marked, bits, at * bitsPerWord)];
        }
        return found;
    };
}
const none = [];
function withBits(marked, bits, from) {
    return marked
        .slice(from, from + bitsPerWord)
        .flatMap(({ clue }, bit) => (((bits >> bit) & 1) === 1 ? [clue] : []));
}
