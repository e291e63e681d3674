import { crc32, inflateRaw, inflateRawSync, zstdDecompressSync } from 'node:zlib';
const readable = [0, 8, 93];
const overLimit = { bytes: null, problem: { kind: 'limit', reason: 'over the size limit' } };
/**
 * The contents of an entry, at most `bound` bytes. Android installs archives whose headers lie about method and
 * encryption: what does not read as stated is tried as stored and as deflated, and the checksum decides.
 */
export function inflateEntry(data, entry, bound) {
    if ((entry.size ?? 0) > bound)
        return overLimit;
    const isUnusual = entry.isEncrypted || !readable.includes(entry.method);
    const readings = isUnusual ? [...new Set([entry.method, 8, 0])] : [entry.method];
    let problem = { kind: 'corrupt', reason: 'the compressed data is corrupt' };
    for (const method of readings.filter((known) => readable.includes(known))) {
        const read = decompressed(data, method, entry.size, bound);
        if ('problem' in read) {
            problem = read.problem;
            continue;
        }
        if (read.isCut === true && entry.crc === null)
            return { bytes: read.bytes, problem };
        const checked = withChecksum(read, entry);
        // Without a checksum, anything reads as stored.
        const isProven = checked.problem === undefined && (entry.crc !== null || method !== 0);
        if (isProven || !isUnusual)
            return checked;
    }
    if (entry.isEncrypted)
        return { bytes: null, problem: { kind: 'encrypted', reason: 'encrypted entry' } };
    if (isUnusual)
        return {
            bytes: null,
            problem: { kind: 'unsupported', reason: `unsupported compression method ${entry.method}` },
        };
    return { bytes: null, problem };
}
/** The same on another thread, for an entry that is deflated and large; `null` where it has to be looked at closer. */
export function inflateAside(data, entry, size) {
    return new Promise((resolve) => {
        inflateRaw(data, { ...options(data, size, size), info: true }, (error, result) => {
            const checked = error === null ? withChecksum(readFrom(result), entry) : null;
            resolve(checked?.problem === undefined ? checked : null);
        });
    });
}
export function canInflateAside({ method, isEncrypted, size, crc }) {
    return method === 8 && !isEncrypted && size !== null && crc !== null;
}
function withChecksum(read, { crc, size }) {
    const { bytes } = read;
    if (crc !== null && crc32(bytes) !== crc)
        return { ...read, problem: { kind: 'corrupt', reason: 'the checksum does not match' } };
    if (size !== null && size !== bytes.length)
        return { ...read, problem: { kind: 'disagreement', reason: 'the header gives another size' } };
    return read;
}
/** With `info`, zlib gives more than its types say. */
function readFrom(result) {
    const { buffer, engine } = result;
    return { bytes: buffer, consumed: engine.bytesWritten };
}
/** One more byte than is expected, so that the end of the data is seen without a second buffer. */
function options(data, bound, size) {
    const plausible = Math.min(size ?? data.length * 4, Math.max(65_536, data.length * 40));
    return { maxOutputLength: Math.max(1, bound), chunkSize: Math.max(64, Math.min(bound, plausible) + 1) };
}
function decompressed(data, method, size, bound) {
    if (method === 0)
        return { bytes: data };
    try {
        const inflate = method === 93 ? zstdDecompressSync : inflateRawSync;
        return readFrom(inflate(data, { ...options(data, bound, size), info: true }));
    }
    catch (error) {
        if (error.code === 'ERR_BUFFER_TOO_LARGE')
            return { problem: { kind: 'limit', reason: 'over the size limit' } };
        return partial(data, method, bound);
    }
}
/** What can be read before the place where the data breaks off. */
function partial(data, method, bound) {
    const corrupt = { problem: { kind: 'corrupt', reason: 'the compressed data is corrupt' } };
    if (method !== 8)
        return corrupt;
    try {
        const bytes = inflateRawSync(data, { maxOutputLength: Math.max(1, bound), finishFlush: 2 });
        return bytes.length === 0 ? corrupt : { bytes, isCut: true };
    }
    catch {
        return corrupt;
    }
}
