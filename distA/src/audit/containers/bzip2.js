import { createRequire } from 'node:module';
/** Loaded for the first such file: most audits see none. */
const load = createRequire(import.meta.url);
class OverBound extends Error {
}
/** The contents of a bzip2 file, at most `bound` bytes; of a file that is cut off, what came before. */
export function expandBzip2(bytes, bound) {
    let out = Buffer.allocUnsafe(Math.min(bound, bytes.length * 8));
    let size = 0;
    const writeByte = (byte) => {
        if (size === bound)
            throw new OverBound();
        if (size === out.length) {
            const larger = Buffer.allocUnsafe(Math.min(bound, Math.max(4096, size * 2)));
            out.copy(larger);
            out = larger;
        }
        out[size] = byte;
        size += 1;
    };
    try {
        const bunzip = load('seek-bzip');
        bunzip.decode(bytes, { writeByte }, true);
        return { bytes: out.subarray(0, size), end: 'whole' };
    }
    catch (error) {
        if (error instanceof OverBound)
            return { bytes: null, end: 'limit' };
        // The library throws type errors as well where the data is cut off.
        return { bytes: size > 0 ? out.subarray(0, size) : null, end: 'corrupt' };
    }
}
