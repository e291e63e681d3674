const endSignature = Buffer.from('PK\x05\x06');
const wideEndSignature = Buffer.from('PK\x06\x06');
const centralSignature = 0x02014b50;
/** How far from its end a file is searched that is not in memory. */
const tailBytes = 4 * 1024 * 1024;
const tries = 64;
/** `null` where no record at the end points at a directory. */
export function findDirectory(source) {
    const base = source.whole === undefined ? Math.max(0, source.size - tailBytes) : 0;
    const tail = source.whole ?? source.read(base, source.size);
    let at = tail.lastIndexOf(endSignature);
    for (let tried = 0; at !== -1 && tried < tries; tried++) {
        if (at + 22 <= tail.length) {
            const found = wideDirectory(source, tail, at, base) ?? directoryAt(source, tail, at, base);
            if (found !== null)
                return found;
        }
        at = at === 0 ? -1 : tail.lastIndexOf(endSignature, at - 1);
    }
    return null;
}
function directoryAt(source, tail, at, base) {
    const count = tail.readUInt16LE(at + 10);
    return placed(source, base + at, tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16), count);
}
function placed(source, end, size, offset, count) {
    const isDirectory = (start) => {
        const head = start < 0 ? null : source.read(start, start + 4);
        return head?.length === 4 && head.readUInt32LE(0) === centralSignature;
    };
    // An empty directory is believed only at the beginning: programs that read archives hold its signature too.
    if (count === 0 && size === 0)
        return end > 0 ? null : { start: end, end, delta: Math.max(0, end - offset), count };
    const before = end - size;
    if (isDirectory(before))
        return { start: before, end, delta: before - offset, count };
    return isDirectory(offset) ? { start: offset, end, delta: 0, count } : null;
}
function wideDirectory(source, tail, end, base) {
    const locator = end - 20;
    if (locator < 0 || tail.readUInt32LE(locator) !== 0x07064b50)
        return null;
    const stated = Number(tail.readBigUInt64LE(locator + 8)) - base;
    for (const at of [stated, tail.lastIndexOf(wideEndSignature, locator)]) {
        if (at < 0 || at + 56 > locator || tail.readUInt32LE(at) !== 0x06064b50)
            continue;
        const [count, size, offset] = [32, 40, 48].map((field) => Number(tail.readBigUInt64LE(at + field)));
        return placed(source, base + at, size ?? 0, offset ?? 0, count ?? 0);
    }
    return null;
}
