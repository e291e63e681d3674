import { crc32, createInflateRaw } from 'node:zlib';
import { auditRest, auditStream } from './audit-windows.js';
import { countRead, entryBound, isOpened, isSpent, roomFor } from './containers/budget.js';
import { inMemory } from './containers/source.js';
import { inflateEntry } from './containers/zip-inflate.js';
import { createPool, isForPool } from './containers/zip-pool.js';
import { inside, lastPart } from './location.js';
import { isPlain } from './plain.js';
/** Audits every entry of an archive and all bytes between them. */
export async function auditZip(audit, item, zip, auditEntry) {
    const { location, source } = item;
    for (const { kind, reason } of zip.problems)
        audit.collector.gap(kind, location, reason);
    for (const [start, end] of suspects(audit, source, zip.rest))
        auditRest(audit, { location, format: 'zip' }, source, start, end);
    const take = async (entry, aside) => {
        if (entry.disagreement !== undefined)
            audit.collector.gap('disagreement', inside(location, entry.name), entry.disagreement);
        if (entry.dataStart === entry.dataEnd && (entry.size ?? 0) === 0)
            return true;
        return await auditZipEntry(audit, item, entry, aside, isRepeated(entry), auditEntry);
    };
    const isRepeated = repeatedIn(zip.entries, item.depth);
    const room = roomFor(audit, item.held);
    const pool = createPool(source, zip.entries.filter((entry) => isForPool(entry, room)), audit.ahead);
    const small = zip.entries.filter((entry) => !isForPool(entry, room));
    for (const [index, entry] of small.entries()) {
        if (!(await take(entry, null)))
            return;
        if (index % 32 !== 31 || pool.isIdle())
            continue;
        await new Promise((resolve) => setImmediate(resolve));
        for (const [done, read] of pool.finished())
            if (!(await take(done, read)))
                return;
    }
    for (let next = await pool.next(); next !== null; next = await pool.next())
        if (!(await take(...next)))
            return;
}
/**
 * Those of the stretches between entries in which anything is found. There is one before each entry: it costs less to
 * search the archive as a whole than each of them.
 */
function suspects(audit, { whole }, rest) {
    if (whole === undefined || rest.length < 8)
        return rest;
    const found = new Set();
    const find = (offset) => {
        let low = 0;
        for (let high = rest.length; low < high;) {
            const middle = (low + high) >>> 1;
            if ((rest[middle]?.[0] ?? 0) <= offset)
                low = middle + 1;
            else
                high = middle;
        }
        const stretch = rest[low - 1];
        if (stretch !== undefined && offset < stretch[1])
            found.add(stretch);
    };
    audit.searcher.search(whole, { needle: find, xored: find, escape: () => { } });
    return [...found];
}
const worthRemembering = 4096;
/** Which entries may be in more than one place: in a nested archive, any. Telling that takes a hash of the bytes. */
function repeatedIn(entries, depth) {
    const isLarge = ({ size }) => (size ?? 0) >= worthRemembering;
    if (depth > 0)
        return isLarge;
    const keyOf = ({ crc, size, name }) => `${crc} ${size} ${lastPart(name)}`;
    const counts = new Map();
    for (const entry of entries)
        if (isLarge(entry))
            counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
    return (entry) => isLarge(entry) && (counts.get(keyOf(entry)) ?? 0) > 1;
}
async function auditZipEntry(audit, item, entry, aside, isRepeated, auditEntry) {
    const { source } = item;
    if (isSpent(audit)) {
        audit.collector.gap('limit', item.location, 'more entries or bytes than the limits allow');
        return false;
    }
    const whole = aside ?? readAtOnce(audit, item, entry);
    if (!isRepeated && isPlainEntry(audit, item, entry, whole)) {
        const size = entry.size ?? 0;
        if (!isOpened(audit, item, size))
            return false;
        countRead(audit, size);
        audit.progress(item.location, size);
        return true;
    }
    const location = inside(item.location, entry.name);
    const compressed = entry.dataEnd - entry.dataStart;
    const bound = entryBound(audit, compressed);
    const room = Math.min(bound, roomFor(audit, item.held));
    const part = source.part(entry.dataStart, entry.dataEnd);
    const isStored = !entry.isEncrypted && entry.method === 0;
    if (isStored && source.whole === undefined && compressed > room)
        return await auditEntry(audit, item, entry.name, part);
    const size = entry.size ?? 0;
    if (!entry.isEncrypted && entry.method === 8 && size > room && size <= bound) {
        const inner = { ...item, location, name: entry.name.toString('utf8'), source: part };
        await auditStream(audit, inner, createInflateRaw(), bound, entry.crc);
        return true;
    }
    const read = whole ?? inflateEntry(part.read(0, part.size), entry, room);
    if (read.problem !== undefined)
        audit.collector.gap(read.problem.kind, location, read.problem.reason);
    if (read.bytes !== null && read.consumed !== undefined && read.consumed < part.size)
        auditRest(audit, { location, format: 'zip' }, part, read.consumed, part.size);
    const { bytes } = read;
    if (bytes !== null) {
        const audited = () => auditEntry(audit, item, entry.name, inMemory(bytes));
        const name = lastPart(entry.name);
        return isRepeated && read.problem === undefined
            ? await audit.repeats.once(audit, { location, name, bytes }, audited)
            : await audited();
    }
    auditRest(audit, { location, format: 'binary' }, part, 0, part.size);
    return true;
}
/** What an entry holds where that is exactly what its header says; `null` where it has to be looked at closer. */
function readAtOnce(audit, { source, held, depth }, entry) {
    const { size, crc, method, isEncrypted, dataStart, dataEnd } = entry;
    if ((size ?? 0) > Math.min(entryBound(audit, dataEnd - dataStart), roomFor(audit, held)))
        return null;
    const isStored = method === 0 && !isEncrypted && source.whole !== undefined && size === dataEnd - dataStart;
    const bytes = isStored ? source.read(dataStart, dataEnd) : audit.inflater.inflate(source, entry, depth);
    return bytes === null || (isStored && crc32(bytes) !== crc) ? null : { bytes };
}
function isPlainEntry(audit, { depth }, { name, disagreement }, read) {
    if (read === null || read.bytes === null || read.problem !== undefined || read.consumed !== undefined)
        return false;
    return (disagreement === undefined && depth < audit.limits.depth && isPlain(audit, lastPart(name), read.bytes));
}
