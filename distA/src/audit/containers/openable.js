import { isDiscImage, isDiskImage, startsOpaque } from './opaque.js';
const directoryEnd = Buffer.from('PK\x05\x06');
/** How what can be opened begins, apart from zip: gzip, zlib, zstd, xz, bzip2, asar, assemblies, and what is encrypted. */
const beginnings = new Set([0x1f, 0x78, 0x28, 0xfd, 0x42, 0x04, 0x58, 0x53, 0x2d, 0x61]);
/**
 * Whether any of the readers of containers and compressed files may want these bytes; a look that costs next to nothing
 * and is right wherever it says no.
 */
export function mayBeOpened(name, bytes) {
    const first = bytes[0] ?? 0;
    if (beginnings.has(first) || startsOpaque(first) || (first === 0x50 && bytes[1] === 0x4b))
        return true;
    if (/\.(?:br|lzma|tlz)$/i.test(name) || mayBeTar(bytes))
        return true;
    return bytes.includes(directoryEnd) || isDiskImage(bytes) || isDiscImage(bytes);
}
/** The first checksum of a tar archive is written in octal digits. */
function mayBeTar(bytes) {
    for (let at = 148; at < 156; at++) {
        const byte = bytes[at] ?? 1;
        if (byte !== 0 && byte !== 0x20 && (byte < 0x30 || byte > 0x37))
            return false;
    }
    return true;
}
