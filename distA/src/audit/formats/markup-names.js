import { assertHoldable } from './most-strings.js';
const inMarkup = /<key>([^<]*)<\/key>|\s(?:android:)?(?:name|id)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/dg;
const inJson = /"((?:[^"\\\n]|\\.)*)"(?=\s*:)/dg;
const inStrings = /"((?:[^"\\]|\\.)*)"(?=\s*=)/dg;
/** XML and XML property lists: what is a key, a name or an id. Other text has no table. */
export function readMarkup(bytes) {
    return namesBy(inMarkup, bytes);
}
/** JSON: the names of members. */
export function readJson(bytes) {
    return namesBy(inJson, bytes);
}
/** Localised texts of Apple's platforms: what stands before `=`. */
export function readStrings(bytes) {
    return namesBy(inStrings, bytes);
}
function namesBy(pattern, bytes) {
    const extents = [];
    for (const { indices } of bytes.toString('latin1').matchAll(pattern)) {
        const [start, end] = indices?.slice(1).find((range) => range !== undefined) ?? [0, 0];
        assertHoldable(extents.length);
        if (end > start)
            extents.push({ start, end, view: 'utf-8', role: 'name' });
    }
    return { extents, regions: [] };
}
