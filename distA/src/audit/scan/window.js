const before = 4096;
const after = 8192;
/** What surrounds a hit in bytes without a string table. */
export function rawWindow(bytes, offset, view) {
    const unit = unitOf(view);
    const start = Math.max(offset % unit, offset - before);
    const end = Math.min(bytes.length, offset + after);
    return windowOf(bytes, { start, end, view, role: 'value' }, offset, false, view);
}
/** The string that a table says contains the hit; of a very long one, what surrounds the hit. */
export function exactWindow(bytes, extent, offset) {
    const start = Math.max(extent.start, offset - before);
    const end = Math.min(extent.end, offset + 2 * after);
    return windowOf(bytes, { ...extent, start, end }, offset, true, 'string-table');
}
function windowOf(bytes, { start, end, view, role }, offset, isExact, decoder) {
    const unit = unitOf(view);
    return {
        text: textOf(bytes.subarray(start, end), view),
        at: (offset - start) / unit,
        offsetOf: (index) => start + index * unit,
        isExact,
        role,
        decoder,
    };
}
/** Bytes of a character. */
export function unitOf(view) {
    return view === 'utf-8' ? 1 : 2;
}
export function textOf(bytes, view) {
    if (view === 'utf-8')
        return bytes.toString('latin1');
    const even = bytes.subarray(0, bytes.length & ~1);
    return view === 'utf-16le' ? even.toString('utf16le') : Buffer.from(even).swap16().toString('utf16le');
}
