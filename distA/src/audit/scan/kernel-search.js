import { escapeOf } from './escape.js';
import { createMarker, xorBucket } from './kernel/marker.js';
import { markLength } from './needles.js';
import { startsAt, xorKeyAt } from './plain-search.js';
const backslash = 5;
const percentOrEntity = 6;
const escapes = (1 << backslash) | (1 << percentOrEntity);
/** `null` where the platform has no SIMD, or where a needle is too short for it. */
export function createKernelSearcher(needles, prefix) {
    if (needles.some(({ bytes }) => bytes.length < markLength))
        return null;
    const patterns = [...escapePatterns];
    const byWord = new Map();
    for (const needle of needles) {
        const back = rarestPart(needle);
        const word = needle.bytes.readUInt32LE(back);
        const part = needle.bytes.subarray(back, back + markLength);
        patterns.push({ bucket: bucketOf(needle), classes: [...part].map((byte) => [byte]) });
        byWord.set(word, [...(byWord.get(word) ?? []), { needle, back }]);
    }
    const letters = Buffer.from(prefix);
    const { back: xorBack, differences } = rarestDifferences(letters);
    const mark = createMarker(patterns, differences);
    if (mark === null)
        return null;
    const isEscape = escapeOf(prefix);
    return {
        search(bytes, hits) {
            mark(bytes, (offset, word, buckets) => {
                if ((buckets & xorBucket) !== 0) {
                    const key = xorKeyAt(bytes, offset - xorBack, letters);
                    if (key !== 0)
                        hits.xored(offset - xorBack, key);
                }
                if ((buckets & escapes) !== 0 && isEscape(bytes, offset))
                    hits.escape(offset);
                const marked = byWord.get(word);
                if (marked === undefined)
                    return;
                for (const { needle, back } of marked)
                    if (startsAt(bytes, offset - back, needle.bytes))
                        hits.needle(offset - back, needle);
            });
        },
    };
}
/** Needles that begin alike share a bucket, so that few other texts pass its tables. */
function bucketOf({ form, view, bytes }) {
    if (view !== 'utf-8')
        return form === 'base64' || form === 'hex' ? 7 : 4;
    if (form === 'escaped')
        return bytes[0] === 0x5c ? backslash : percentOrEntity;
    return { plain: 0, reversed: 0, 'mint-path': 0, base64: 1, hex: 2, jwt: 3 }[form];
}
/** How an escape can begin, byte by byte. */
const digits = '0123456789';
const hexDigits = `${digits}abcdefABCDEF`;
const escapePatterns = [
    { bucket: backslash, classes: ['\\', `xuXU${digits}`, `{${hexDigits}`, any()].map(codes) },
    { bucket: percentOrEntity, classes: ['%&', `#${digits}`, `xX${hexDigits}`, any()].map(codes) },
];
function any() {
    return Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString('latin1');
}
function codes(text) {
    return [...Buffer.from(text, 'latin1')];
}
/** The four bytes of a needle that other data is least likely to hold; of UTF-16, two characters and no zero first. */
function rarestPart({ bytes, form, view }) {
    const first = view === 'utf-16be' ? 1 : 0;
    if (form === 'escaped' || form === 'jwt')
        return first;
    const step = view === 'utf-8' ? 1 : 2;
    const rank = (at) => commonness(bytes.subarray(at, at + markLength));
    let best = first;
    for (let at = first; at + markLength <= bytes.length; at += step)
        if (rank(at) < rank(best))
            best = at;
    return best;
}
/** Lower-case letters are in every text. */
function commonness(bytes) {
    return bytes.filter((byte) => byte >= 0x61 && byte <= 0x7a).length;
}
/** Three differences between neighbours in the prefix, none of them 0 where that can be had. */
function rarestDifferences(prefix) {
    const all = Array.from(prefix.subarray(1), (byte, at) => byte ^ (prefix[at] ?? 0));
    const rank = (at) => all.slice(at, at + 3).reduce((sum, value) => sum + (value < 0x20 ? 1 : 0), 0);
    let back = 0;
    for (let at = 1; at + 3 <= all.length; at++)
        if (rank(at) < rank(back))
            back = at;
    const [d0 = 0, d1 = 0, d2 = 0] = all.slice(back, back + 3);
    return { back, differences: [d0, d1, d2] };
}
