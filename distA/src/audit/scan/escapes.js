import { textOf, unitOf } from './window.js';
/** In characters: longer than the prefix is when all of it is escaped. */
const before = 320;
/** How far from an escape its surroundings reach, in characters: others that are nearer need not be named. */
const stretch = 8192;
/** Collects escapes that come in ascending order, those of UTF-16 apart by view and by the byte they begin with. */
export function createEscapes() {
    const groups = new Map();
    return {
        groups,
        add(offset, view) {
            const unit = unitOf(view);
            const name = `${view} ${offset % unit}`;
            const { offsets } = groups.get(name) ?? { view, offsets: [] };
            if (offset < (offsets.at(-1) ?? Number.NEGATIVE_INFINITY) + stretch * unit)
                return;
            offsets.push(offset);
            groups.set(name, { view, offsets });
        },
    };
}
/** Finds the prefix in mixtures of plain and escaped characters. Only around escapes it has to be looked for. */
export function* escapedPrefixes({ prefix, escaped }, bytes, { view, offsets }) {
    const unit = unitOf(view);
    let done = 0;
    for (const offset of offsets) {
        const from = Math.max(done, offset % unit, offset - before * unit);
        done = offset + stretch * unit;
        const text = textOf(bytes.subarray(from, done + before * unit), view);
        for (const { 0: match, index } of text.matchAll(escaped)) {
            const start = from + index * unit;
            if (match !== prefix && start < done && /[\\%&]/.test(match))
                yield { offset: start, length: match.length * unit };
        }
    }
}
