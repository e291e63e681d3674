import { shapeOf } from '../key-shape.js';
const longest = 512;
/** `\n`, `\x20`, `\u0020` and `%20` end in what looks like a part of a word. */
const escapeEnd = /(?:\\(?:[abefnrtv0]|x[0-9a-f]{2}|u[0-9a-f]{4})|%[0-9a-f]{2})$/i;
/** The candidate that begins at an index of a text. Never longer than 512 characters. */
export function keyAt(text, at, prefix, leastSuffix) {
    const run = /^[A-Za-z0-9_-]*/.exec(text.slice(at + prefix.length, at + prefix.length + longest))?.[0] ?? '';
    const previous = text[at - 1] ?? '';
    const follows = /[A-Za-z0-9]/.test(previous) && !escapeEnd.test(text.slice(Math.max(0, at - 6), at));
    return {
        secret: prefix + run,
        shape: shapeOf(run, leastSuffix),
        follows,
        isGlued: follows && /[a-z]/.test(previous),
        next: text[at + prefix.length + run.length] ?? '',
        previous,
    };
}
