import { inflateRawSync } from 'node:zlib';
const magic = 0x1f8b08;
const trailer = 8;
/**
 * Reads member after member and stops at what is none, where zlib would refuse the whole. `null` where not even the
 * first can be read. @throws what zlib throws where the contents are over the bound
 */
export function readMembers(file, bound) {
    const parts = [];
    let consumed = 0;
    let total = 0;
    while (consumed + 18 <= file.length && file.readUInt32BE(consumed) >>> 8 === magic) {
        const start = headerEnd(file, consumed);
        const read = start === null ? null : inflated(file.subarray(start), bound - total);
        if (read === null || start === null)
            break;
        parts.push(read.buffer);
        total += read.buffer.length;
        consumed = Math.min(file.length, start + read.engine.bytesWritten + trailer);
    }
    return parts.length === 0 ? null : { bytes: Buffer.concat(parts), consumed };
}
function inflated(data, bound) {
    try {
        return inflateRawSync(data, { info: true, maxOutputLength: Math.max(1, bound) });
    }
    catch (error) {
        if (error.code === 'ERR_BUFFER_TOO_LARGE')
            throw error;
        return null;
    }
}
/** Behind the optional fields: extra, name, comment, checksum. */
function headerEnd(file, at) {
    const flags = file[at + 3] ?? 0;
    let end = at + 10;
    if ((flags & 4) !== 0)
        end += end + 2 <= file.length ? 2 + file.readUInt16LE(end) : 2;
    for (const flag of [8, 16]) {
        if ((flags & flag) === 0)
            continue;
        const zero = file.indexOf(0, end);
        if (zero === -1)
            return null;
        end = zero + 1;
    }
    if ((flags & 2) !== 0)
        end += 2;
    return end < file.length ? end : null;
}
