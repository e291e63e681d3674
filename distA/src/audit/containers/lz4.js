/**
 * Decompresses one LZ4 block that comes to so many bytes; `null` where it does not. A block does not say where it ends:
 * it ends when there is enough.
 */
export function expandLz4(block, size) {
    const out = Buffer.allocUnsafe(size);
    let at = 0;
    let filled = 0;
    const lengthFrom = (nibble) => {
        let length = nibble;
        for (let more = nibble === 15 ? 255 : 0; more === 255; length += more)
            more = block[at++] ?? 0;
        return length;
    };
    while (filled < size) {
        const token = block[at++];
        if (token === undefined)
            return null;
        const literals = lengthFrom(token >>> 4);
        if (at + literals > block.length || filled + literals > size)
            return null;
        out.set(block.subarray(at, at + literals), filled);
        at += literals;
        filled += literals;
        if (filled === size)
            break;
        const distance = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8);
        at += 2;
        const length = lengthFrom(token & 15) + 4;
        if (distance === 0 || distance > filled || filled + length > size)
            return null;
        // What is copied may be what the copy has just written.
        for (let end = filled + length; filled < end; filled++)
            out[filled] = out[filled - distance] ?? 0;
    }
    return out;
}
