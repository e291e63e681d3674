import { assertHoldable } from './most-strings.js';
const entry = { 2: 'name' };
const type = { 2: 'name', 3: () => entry };
const appPackage = { 2: 'name', 3: () => type };
const resourceTable = { 2: () => appPackage };
const attribute = { 1: 'name', 2: 'name', 3: 'value' };
const namespace = { 1: 'name', 2: 'name' };
const element = { 1: () => namespace, 2: 'name', 3: 'name', 4: () => attribute, 5: () => node };
const node = { 1: () => element, 2: 'value' };
/** `resources.pb` of an app bundle. */
export function readProtoResources(bytes) {
    return read(bytes, resourceTable);
}
/** An XML document in the form that an app bundle holds it. */
export function readProtoXml(bytes) {
    return read(bytes, node);
}
function read(bytes, schema) {
    const extents = [];
    if (!walk(bytes, 0, bytes.length, schema, extents, 0))
        throw new RangeError('the message does not parse');
    return { extents, regions: [] };
}
const deepest = 100;
/** Collects the strings of a message. @returns whether the bytes are a message; nothing is collected otherwise */
function walk(bytes, from, to, schema, extents, depth) {
    if (depth > deepest)
        return false;
    const found = extents.length;
    const fail = () => {
        extents.length = found;
        return false;
    };
    for (let at = from; at < to;) {
        const tag = varint(bytes, at, to);
        if (tag === null || tag.value < 8)
            return fail();
        const field = Math.floor(tag.value / 8);
        at = tag.next;
        const wire = tag.value % 8;
        if (wire === 0) {
            const number = varint(bytes, at, to);
            if (number === null)
                return fail();
            at = number.next;
        }
        else if (wire === 1 || wire === 5)
            at += wire === 1 ? 8 : 4;
        else if (wire === 2) {
            const length = varint(bytes, at, to);
            if (length === null || length.next + length.value > to)
                return fail();
            const [start, end] = [length.next, length.next + length.value];
            collect(bytes, start, end, schema[field], extents, depth);
            at = end;
        }
        else
            return fail();
        if (at > to)
            return fail();
    }
    return true;
}
function collect(bytes, start, end, kind, extents, depth) {
    if (typeof kind === 'function') {
        if (walk(bytes, start, end, kind(), extents, depth + 1))
            return;
        throw new RangeError('a message does not parse');
    }
    if (kind === undefined && !isString(bytes, start, end) && walk(bytes, start, end, {}, extents, depth + 1))
        return;
    assertHoldable(extents.length);
    extents.push({ start, end, view: 'utf-8', role: kind ?? 'value' });
}
/** A line feed is also the tag of a first field: where that field's length fits to the byte, it is a message. */
function isString(bytes, start, end) {
    const length = bytes[start] === 10 ? varint(bytes, start + 1, end) : null;
    return isText(bytes, start, end) && (length === null || length.next + length.value !== end);
}
/** No control characters but white space: a message has at least one small number in it. */
function isText(bytes, start, end) {
    for (let at = start; at < end; at++) {
        const byte = bytes[at] ?? 0;
        if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)
            return false;
    }
    return true;
}
function varint(bytes, from, to) {
    let value = 0;
    for (let at = from; at < Math.min(to, from + 10); at++) {
        const byte = bytes[at] ?? 0;
        value += (byte & 0x7f) * 2 ** (7 * (at - from));
        if (byte < 0x80)
            return { value, next: at + 1 };
    }
    return null;
}
