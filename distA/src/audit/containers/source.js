import { readSync } from 'node:fs';
export function inMemory(bytes) {
    return {
        size: bytes.length,
        whole: bytes,
        read: (start, end) => bytes.subarray(start, Math.max(start, end)),
        part: (start, end) => inMemory(bytes.subarray(start, end)),
    };
}
/** A stretch of an open file. */
export function inFile(file, start, end) {
    const size = end - start;
    return {
        size,
        read: (from, to) => readInto(file, Buffer.allocUnsafe(Math.max(0, Math.min(size, to) - Math.max(0, from))), start + Math.max(0, from)),
        part: (from, to) => inFile(file, start + from, start + Math.min(size, Math.max(from, to))),
    };
}
/** Fills a buffer from a place in a file. @returns what of it could be filled */
export function readInto(file, bytes, position) {
    let filled = 0;
    while (filled < bytes.length) {
        const count = readSync(file, bytes, filled, bytes.length - filled, position + filled);
        if (count === 0)
            break;
        filled += count;
    }
    return bytes.subarray(0, filled);
}
