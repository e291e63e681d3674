import { kernelBase64 } from './bytes.js';
export const xorBucket = 1 << 8;
/** Addresses in the kernel's memory, as its source has them. */
const resumeAt = 144;
const marksAt = 1024;
const bytesAt = 66_560;
const chunk = 256 * 1024;
const margin = 32;
/** `null` where the platform has no SIMD. */
export function createMarker(patterns, [d0, d1, d2] = noDifferences) {
    const module = compiled();
    if (module === null)
        return null;
    const kernel = new WebAssembly.Instance(module).exports;
    const memory = Buffer.from(kernel.memory.buffer);
    for (const pattern of patterns)
        addTo(memory, pattern);
    const marks = new Uint32Array(kernel.memory.buffer, marksAt, (bytesAt - marksAt) / 4);
    const words = new DataView(kernel.memory.buffer);
    return (bytes, visit) => {
        for (let start = 0; start < bytes.length; start += chunk) {
            const length = Math.min(bytes.length - start, chunk);
            const copied = bytes.copy(memory, bytesAt, start, start + length + margin);
            memory.fill(0, bytesAt + copied, bytesAt + copied + margin);
            for (let at = bytesAt; at < bytesAt + length; at = words.getUint32(resumeAt, true)) {
                const count = kernel.mark(at, bytesAt + length, d0, d1, d2);
                for (let mark = 0; mark < count * 2; mark += 2) {
                    const address = marks[mark];
                    visit(start + address - bytesAt, words.getUint32(address, true), marks[mark + 1]);
                }
            }
        }
    };
}
/** What no text has: a high bit in every other byte. */
const noDifferences = [0x80, 0x80, 0x80];
/** The kernel's tables: for each of four bytes, which buckets allow a low and a high half. */
function addTo(memory, { bucket, classes }) {
    classes.forEach((allowed, place) => {
        for (const byte of allowed)
            for (const address of [place * 32 + (byte & 15), place * 32 + 16 + (byte >> 4)])
                memory.writeUInt8(memory.readUInt8(address) | (1 << bucket), address);
    });
}
let module;
function compiled() {
    if (module !== undefined)
        return module;
    try {
        module = new WebAssembly.Module(Buffer.from(kernelBase64, 'base64'));
    }
    catch {
        module = null;
    }
    return module;
}
