import { createNulReader } from './nul-strings.js';
const [custom, imports, exports, data] = [0, 2, 7, 11];
/** A larger segment is a whole memory, in which strings may be packed without an end. */
const smallSegment = 1024;
/** WebAssembly: names of imports, exports and functions are names; a small data segment is a value of its own. */
export function readWasm(bytes) {
    const extents = [];
    const stringsIn = createNulReader(bytes, { isEndedByPlace: true });
    const name = (cursor) => {
        const { start, end } = cursor.vector();
        extents.push({ start, end, view: 'utf-8', role: 'name' });
    };
    const file = cursorAt(bytes, 8, bytes.length);
    while (!file.isAtEnd()) {
        const id = file.byte();
        const { start, end } = file.vector();
        const section = cursorAt(bytes, start, end);
        if (id === custom)
            readCustom(bytes, section, end, name);
        else if (id === imports)
            repeat(section, () => {
                name(section);
                name(section);
                readImport(section);
            });
        else if (id === exports)
            repeat(section, () => {
                name(section);
                section.byte();
                section.number();
            });
        else if (id === data)
            repeat(section, () => readSegment(section, extents, stringsIn));
    }
    return { extents, regions: [] };
}
function cursorAt(bytes, from, to) {
    let at = from;
    const byte = () => {
        if (at >= to)
            throw new RangeError('a section is cut off');
        at += 1;
        return bytes.readUInt8(at - 1);
    };
    const number = () => {
        let value = 0;
        for (let shift = 0; shift < 63; shift += 7) {
            const part = byte();
            value += (part & 0x7f) * 2 ** shift;
            if (part < 0x80)
                return value;
        }
        throw new RangeError('a number does not end');
    };
    const vector = () => {
        const length = number();
        const start = at;
        if (start + length > to)
            throw new RangeError('a vector is longer than its section');
        at = start + length;
        return { start, end: at };
    };
    return { byte, number, vector, isAtEnd: () => at >= to, place: () => at };
}
function repeat(cursor, each) {
    for (let count = cursor.number(); count > 0; count--)
        each();
}
function readImport(section) {
    const kind = section.byte();
    if (kind === 0)
        section.number();
    else if (kind === 1) {
        section.byte();
        readLimits(section);
    }
    else if (kind === 2)
        readLimits(section);
    else if (kind === 3) {
        section.byte();
        section.byte();
    }
    else {
        section.byte();
        section.number();
    }
}
function readLimits(section) {
    const flags = section.byte();
    section.number();
    if ((flags & 1) !== 0)
        section.number();
}
/** The section `name`: maps of indices to names, in numbered parts; locals have one map for each function. */
function readCustom(bytes, section, end, name) {
    const title = section.vector();
    if (bytes.toString('latin1', title.start, title.end) !== 'name')
        return;
    while (section.place() < end) {
        const part = section.byte();
        const { start, end: last } = section.vector();
        const names = cursorAt(bytes, start, last);
        const entry = () => {
            names.number();
            name(names);
        };
        if (part === 0)
            name(names);
        else if (part === 2 || part === 3)
            repeat(names, () => {
                names.number();
                repeat(names, entry);
            });
        else
            repeat(names, entry);
    }
}
function readSegment(section, extents, stringsIn) {
    const kind = section.number();
    if (kind === 2)
        section.number();
    if (kind !== 1)
        for (let opcode = section.byte(); opcode !== 0x0b; opcode = section.byte())
            passOver(section, opcode);
    const { start, end } = section.vector();
    if (end - start > smallSegment)
        return;
    for (const extent of stringsIn({ start, end }, 'value'))
        extents.push(extent);
}
/** The operand of an instruction of an offset: a constant or a global. */
function passOver(section, opcode) {
    if (opcode === 0x41 || opcode === 0x42 || opcode === 0x23)
        section.number();
}
