const unknown32 = 0xffff_ffff;
const localHeader = 30;
/** Reads the record at an index of the directory, and the local header that it points at. */
export function readCentralEntry(source, directory, at, delta) {
    const flags = directory.readUInt16LE(at + 8);
    const method = directory.readUInt16LE(at + 10);
    const crc = directory.readUInt32LE(at + 16);
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const next = extraEnd + directory.readUInt16LE(at + 32);
    const name = directory.subarray(at + 46, nameEnd);
    const narrow = [at + 24, at + 20, at + 42].map((field) => directory.readUInt32LE(field));
    const isWide = narrow.includes(unknown32);
    const [size = 0, compressed = 0, offset = 0] = isWide
        ? wideFields(directory.subarray(nameEnd, extraEnd), narrow)
        : narrow;
    const headerStart = offset + delta;
    const local = headerStart < 0 ? null : localHeaderAt(source, headerStart);
    if (local === null)
        return {
            entries: [],
            next,
            problem: { ...corrupt('an entry’s header is missing', name), isMissing: true },
        };
    const wanted = local.dataStart + compressed;
    const dataEnd = Math.min(source.size, wanted);
    const entry = {
        name,
        method,
        isEncrypted: (flags & 1) !== 0,
        crc,
        size,
        headerStart,
        dataStart: Math.min(local.dataStart, dataEnd),
        dataEnd,
    };
    const disagreement = disagreementOf(local, entry, compressed);
    const truncated = wanted > source.size ? { problem: corrupt('an entry is truncated', name) } : {};
    if (disagreement === null)
        return { entries: [entry], next, ...truncated };
    const other = localEntryAt(source, headerStart, source.size);
    const isOther = other !== null && (other.method !== method || other.dataEnd !== dataEnd);
    return {
        entries: [{ ...entry, disagreement }, ...(isOther ? [{ ...other, disagreement }] : [])],
        next,
        ...truncated,
    };
}
function corrupt(what, name) {
    return { kind: 'corrupt', reason: `${what}: ${name.toString('utf8')}` };
}
const localSignature = 0x04034b50;
function localHeaderAt(source, at) {
    // In memory, nothing is cut out for it: there may be thousands.
    const { whole } = source;
    let bytes = whole ?? source.read(at, at + localHeader + 256);
    const start = whole === undefined ? 0 : at;
    if (bytes.length < start + localHeader || bytes.readUInt32LE(start) !== localSignature)
        return null;
    const nameLength = bytes.readUInt16LE(start + 26);
    const nameStart = start + localHeader;
    if (whole === undefined && nameStart + nameLength > bytes.length)
        bytes = source.read(at, at + localHeader + nameLength);
    return {
        bytes,
        nameStart,
        nameEnd: Math.min(bytes.length, nameStart + nameLength),
        flags: bytes.readUInt16LE(start + 6),
        method: bytes.readUInt16LE(start + 8),
        crc: bytes.readUInt32LE(start + 14),
        compressed: bytes.readUInt32LE(start + 18),
        size: bytes.readUInt32LE(start + 22),
        dataStart: at + localHeader + nameLength + bytes.readUInt16LE(start + 28),
    };
}
const descriptorFollows = 8;
function disagreementOf(local, entry, compressed) {
    if (local.method !== entry.method)
        return 'the two headers name different methods';
    if (entry.name.compare(local.bytes, local.nameStart, local.nameEnd) !== 0)
        return 'the two headers give different names';
    const { compressed: stated, flags } = local;
    if ((flags & descriptorFollows) === 0 && stated !== unknown32 && stated !== compressed)
        return 'the two headers give different sizes';
    return null;
}
/** The zip64 extra field holds, in order, those of the values that did not fit. */
function wideFields(extra, values) {
    for (let at = 0; at + 4 <= extra.length;) {
        const end = at + 4 + extra.readUInt16LE(at + 2);
        if (extra.readUInt16LE(at) === 1) {
            let field = at + 4;
            return values.map((value) => {
                if (value !== unknown32 || field + 8 > Math.min(end, extra.length))
                    return value;
                field += 8;
                return Number(extra.readBigUInt64LE(field - 8));
            });
        }
        at = end;
    }
    return [...values];
}
const readableMethods = [0, 8, 93];
/** An entry by its local header alone; it reaches to `limit` where its size is not stated. */
export function localEntryAt(source, at, limit) {
    const local = localHeaderAt(source, at);
    if (local === null || local.dataStart > limit || !readableMethods.includes(local.method))
        return null;
    const { flags, compressed, dataStart } = local;
    const hasSize = (flags & descriptorFollows) === 0 && compressed !== unknown32 && dataStart + compressed <= limit;
    return {
        name: local.bytes.subarray(local.nameStart, local.nameEnd),
        method: local.method,
        isEncrypted: (flags & 1) !== 0,
        crc: hasSize ? local.crc : null,
        size: hasSize ? local.size : null,
        headerStart: at,
        dataStart,
        dataEnd: hasSize ? dataStart + compressed : limit,
    };
}
