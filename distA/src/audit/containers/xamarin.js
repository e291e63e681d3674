import { expandLz4 } from './lz4.js';
const mark = Buffer.from('XALZ');
const headBytes = 12;
/**
 * Compressed assemblies: a file of one, a store of many, or a store inside a library. Each begins with a mark, its
 * number, and its size. `bound` is how large one may become.
 */
export function* readAssemblies(name, bytes, bound) {
    const head = bytes.toString('latin1', 0, 4);
    const isStore = head === 'XABA' || (head === '\x7fELF' && /assembl/i.test(name));
    if (head !== 'XALZ' && !isStore)
        return;
    for (let at = bytes.indexOf(mark); at !== -1; at = isStore ? bytes.indexOf(mark, at + headBytes) : -1) {
        if (at + headBytes > bytes.length)
            return;
        const [index, size] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)];
        const expanded = size > bound ? null : expandLz4(bytes.subarray(at + headBytes), size);
        yield { name: isStore ? `assembly ${index}` : name, bytes: expanded };
    }
}
