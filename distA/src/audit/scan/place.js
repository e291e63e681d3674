/** Where in its file an index of a window is. */
export function place(file, window, index) {
    const { location, format, bytes, base = 0 } = file;
    const offset = window.offsetOf(index);
    const line = file.isText && base === 0 ? { line: lineOf(bytes, offset) } : {};
    return { location, format, offset: base + offset, ...line };
}
const counted = new WeakMap();
/** Counted from 1. Places of one file mostly come in ascending order: what was counted is not counted again. */
export function lineOf(bytes, offset) {
    const last = counted.get(bytes);
    let { offset: from, line } = last !== undefined && last.offset <= offset ? last : { offset: 0, line: 1 };
    for (let at = bytes.indexOf(10, from); at !== -1 && at < offset; at = bytes.indexOf(10, at + 1)) {
        line += 1;
        from = at + 1;
    }
    counted.set(bytes, { offset: Math.max(from, offset), line });
    return line;
}
