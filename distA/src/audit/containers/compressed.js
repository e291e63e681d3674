import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { expandBzip2 } from './bzip2.js';
import { readMembers } from './gzip.js';
import { isEncrypted, opaqueKind } from './opaque.js';
import { expandXz } from './xz.js';
/** How the first block of a bzip2 file begins: with data, or with its end. */
const bzipBlocks = new Set(['314159265359', '177245385090']);
/** `null` where the bytes are no compressed file. Brotli has no mark of its own: only a `.br` is tried. */
export function expand(name, bytes, bound) {
    const magic = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
    if (magic >>> 8 === 0x1f8b08)
        return expandedBy(gunzipSync, stripped(name, /\.t?gz$/i, 'gz'), bytes, bound);
    if (magic === 0x28b52ffd)
        return expandedBy(zstdDecompressSync, stripped(name, /\.t?zst$/i, 'zst'), bytes, bound);
    if (/\.br$/i.test(name) && bytes.length > 0)
        return expandedBy(brotliDecompressSync, stripped(name, /\.br$/i, 'br'), bytes, bound);
    if (magic === 0xfd377a58)
        return described(stripped(name, /\.t?xz$/i, 'xz'), expandXz(bytes, bound));
    if (/^BZh[1-9]$/.test(bytes.toString('latin1', 0, 4)) && bzipBlocks.has(bytes.toString('hex', 4, 10)))
        return described(stripped(name, /\.t?bz2?$/i, 'bz2'), expandBzip2(bytes, bound));
    const deflated = isZlib(bytes) ? expandedBy(inflateSync, `${name}.expanded`, bytes, bound) : null;
    // Its mark is two bytes: what does not become whole is something else that begins so.
    if (deflated !== null && deflated.problem?.kind !== 'corrupt')
        return deflated;
    if (isEncrypted(bytes))
        return { name, bytes: null, problem: { kind: 'encrypted', reason: 'encrypted file' } };
    const opaque = opaqueKind(name, bytes);
    return opaque === null
        ? null
        : { name, bytes: null, problem: { kind: 'unsupported', reason: `${opaque} cannot be opened` } };
}
/** The head of a zlib stream: deflate, in a window of 32 KB, without a dictionary. */
function isZlib(bytes) {
    return (bytes.length > 8 &&
        bytes[0] === 0x78 &&
        bytes.readUInt16BE(0) % 31 === 0 &&
        ((bytes[1] ?? 0) & 0x20) === 0);
}
function described(name, { bytes, end }) {
    if (end === 'whole')
        return { name, bytes };
    const reason = end === 'limit' ? 'over the size limit' : 'the compressed data is corrupt or cut off';
    return { name, bytes, problem: { kind: end, reason } };
}
function stripped(name, suffix, other) {
    if (!suffix.test(name))
        return name.endsWith(`.${other}`) ? name : `${name}.expanded`;
    const rest = name.replace(suffix, '');
    return /\.(?:tgz|tzst|txz|tbz2?)$/i.test(name) ? `${rest}.tar` : rest;
}
function expandedBy(decompress, name, bytes, bound) {
    const maxOutputLength = Math.max(1, bound);
    try {
        const { buffer, engine } = decompress(bytes, { maxOutputLength, info: true });
        return { name, bytes: buffer, consumed: engine.bytesWritten };
    }
    catch (error) {
        if (error.code === 'ERR_BUFFER_TOO_LARGE')
            return { name, bytes: null, problem: { kind: 'limit', reason: 'over the size limit' } };
        const members = decompress === gunzipSync ? readMembers(bytes, maxOutputLength) : null;
        const part = members ?? { bytes: partOf(decompress, bytes, maxOutputLength) };
        const problem = { kind: 'corrupt', reason: 'the compressed data is corrupt or cut off' };
        return { name, ...part, problem };
    }
}
/** What can be read before the place where a stream is cut off. */
function partOf(decompress, bytes, maxOutputLength) {
    try {
        return decompress(bytes, { maxOutputLength, finishFlush: decompress === gunzipSync ? 2 : 1 });
    }
    catch {
        return null;
    }
}
