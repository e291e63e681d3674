import { constants, crc32, createInflateRaw } from 'node:zlib';
const largest = 512 * 1024;
export function createInflater() {
    const memories = [];
    let stream = openStream();
    return {
        inflate(archive, { method, isEncrypted, size, crc, dataStart, dataEnd }, depth) {
            if (stream === null || method !== 8 || isEncrypted)
                return null;
            if (size === null || crc === null || size > largest || dataEnd <= dataStart)
                return null;
            if (!stream.isOpen())
                stream = openStream();
            if (stream === null)
                return null;
            memories[depth] ??= Buffer.allocUnsafeSlow(largest + 1);
            const memory = memories[depth];
            // In memory, the archive itself is the input: then there is nothing to copy.
            const packed = archive.whole ?? archive.read(dataStart, dataEnd);
            const start = archive.whole === undefined ? 0 : dataStart;
            const length = Math.min(dataEnd - dataStart, packed.length - start);
            if (length <= 0)
                return null;
            stream.handle.reset();
            stream.handle.writeSync(constants.Z_FINISH, packed, start, length, memory, 0, size + 1);
            const bytes = memory.subarray(0, size);
            const [output, input] = stream.left();
            return stream.isOpen() && output === 1 && input === 0 && crc32(bytes) === crc ? bytes : null;
        },
    };
}
/** Where what is not documented was tried out; elsewhere every entry takes the usual way, which is slower. */
const known = /^v(?:22|24)\./;
function openStream() {
    const stream = createInflateRaw();
    stream.on('error', () => stream.destroy());
    const internal = stream;
    const { _handle: handle, _writeState: state } = internal;
    if (!known.test(process.version) || typeof handle?.writeSync !== 'function')
        return null;
    return {
        handle: handle,
        isOpen: () => !stream.destroyed && internal._handle === handle,
        left: () => [state?.[0] ?? 0, state?.[1] ?? 0],
    };
}
