import { createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib';
import { opaqueKind } from './opaque.js';
/** A decompressor for what is too large to be unpacked at once; `null` where there is none for these first bytes. */
export function streamFor(name, head) {
    const magic = head.length < 4 ? 0 : head.readUInt32BE(0);
    if (magic >>> 8 === 0x1f8b08)
        return createGunzip();
    if (magic === 0x28b52ffd)
        return createZstdDecompress();
    return /\.br$/i.test(name) ? createBrotliDecompress() : null;
}
/** What a file is that would have to be in memory whole to be unpacked, or cannot be opened at all; else `null`. */
export function unstreamable(name, head) {
    if (head.toString('hex', 0, 4) === 'fd377a58')
        return 'xz compression';
    if (/^BZh[1-9]$/.test(head.toString('latin1', 0, 4)))
        return 'bzip2 compression';
    return opaqueKind(name, head);
}
/** What the contents of a compressed file are called. */
export function expandedName(name) {
    const rest = name.replace(/\.t?(?:gz|zst)$|\.br$/i, '');
    if (rest === name)
        return `${name}.expanded`;
    return /\.t(?:gz|zst)$/i.test(name) ? `${rest}.tar` : rest;
}
