import { auditFile } from './audit-file.js';
import { auditRest, auditStream, auditWindows, isForWindows } from './audit-windows.js';
import { auditZip } from './audit-zip.js';
import { readAsar } from './containers/asar.js';
import { countRead, entryBound, isOpened, roomFor } from './containers/budget.js';
import { expand } from './containers/compressed.js';
import { expandedName, streamFor, unstreamable } from './containers/compressed-stream.js';
import { inMemory } from './containers/source.js';
import { isTar, readTar } from './containers/tar.js';
import { readAssemblies } from './containers/xamarin.js';
import { readZip } from './containers/zip.js';
import { inside, lastPart } from './location.js';
import { exceptKnown } from './report-to.js';
import { scan } from './scan/scan.js';
/** Audits one file or entry that is in memory: what it contains, where it is a container, and its own bytes otherwise. */
export function auditBytes(audit, { bytes, ...item }) {
    return auditSource(audit, { ...item, source: inMemory(bytes), held: bytes.length });
}
/** The same, wherever the bytes are. A container is opened where it is; only what it holds is read into memory. */
export async function auditSource(audit, item) {
    const { location, source } = item;
    if (item.depth > audit.limits.depth) {
        audit.collector.gap('limit', location, `more than ${audit.limits.depth} containers deep`);
        await auditLeaf(audit, item);
        return;
    }
    const archive = archiveOf(source);
    const zip = readZip(source);
    if (zip !== null && !isHeldBy(archive, zip)) {
        await auditZip(audit, item, zip, auditEntry);
        return;
    }
    if (archive !== null) {
        await auditParts(audit, item, archive);
        return;
    }
    if (!(await auditExpanded(audit, item)))
        await auditLeaf(audit, item);
}
const auditEntry = async (audit, container, name, source) => {
    if (!isOpened(audit, container, source.size))
        return false;
    // What is a part of a container in memory is held by it.
    const isOwn = source.whole !== undefined && source.whole.buffer !== container.source.whole?.buffer;
    await auditSource(audit, {
        location: inside(container.location, name),
        name: lastPart(name),
        source,
        depth: container.depth + 1,
        held: container.held + (isOwn ? source.size : 0),
    });
    return true;
};
function archiveOf(source) {
    if (isTar(source))
        return { format: 'tar', ...readTar(source) };
    const asar = readAsar(source);
    return asar === null ? null : { format: 'asar', ...asar };
}
/** Zips inside a tar end in a directory as well: one that only has what stands in its entries is theirs, not the file's. */
function isHeldBy(archive, zip) {
    if (archive === null)
        return false;
    const parts = archive.entries.toSorted((a, b) => a.start - b.start);
    const entries = zip.entries.toSorted((a, b) => a.headerStart - b.headerStart);
    let part = 0;
    return entries.every(({ headerStart, dataEnd }) => {
        while ((parts[part]?.end ?? Number.POSITIVE_INFINITY) < dataEnd)
            part += 1;
        const holder = parts[part];
        return holder !== undefined && holder.start <= headerStart && dataEnd <= holder.end;
    });
}
/** An archive whose entries stand in it as they are. */
async function auditParts(audit, item, { format, entries, rest, isWhole }) {
    const { location, source } = item;
    if (!isWhole)
        audit.collector.gap('corrupt', location, 'the archive is cut off');
    for (const [start, end] of rest)
        auditRest(audit, { location, format }, source, start, end);
    for (const { name, start, end } of entries)
        if (!(await auditEntry(audit, item, name, source.part(start, end))))
            return;
}
/** `false` where the bytes are no compressed file, or none that can be read. */
async function auditExpanded(audit, item) {
    const { location, name, source } = item;
    const bound = entryBound(audit, source.size);
    const room = Math.min(bound, roomFor(audit, item.held));
    const { whole } = source;
    const expanded = whole === undefined ? null : expand(name, whole, room);
    const isTooLarge = expanded?.problem?.kind === 'limit' && room < bound;
    const stream = whole === undefined || isTooLarge ? streamFor(name, source.read(0, 16)) : null;
    if (stream !== null) {
        const inner = { ...item, location: inside(location, expandedName(name)), name: expandedName(name) };
        await auditStream(audit, inner, stream, bound);
        return true;
    }
    if (whole === undefined) {
        const what = unstreamable(name, source.read(0, 65_536));
        if (what !== null)
            audit.collector.gap('limit', location, `too large to be opened: ${what}`);
    }
    if (expanded === null || whole === undefined)
        return false;
    if (expanded.problem !== undefined)
        audit.collector.gap(expanded.problem.kind, location, expanded.problem.reason);
    // Of a file that gives nothing, its own bytes are all there is to read.
    if (expanded.bytes === null || (expanded.bytes.length === 0 && expanded.problem !== undefined))
        return false;
    await auditEntry(audit, item, expanded.name, inMemory(expanded.bytes));
    const isRead = expanded.problem === undefined;
    const rest = whole.subarray(expanded.consumed ?? (isRead ? whole.length : 0));
    if (rest.length > 0)
        scan(exceptKnown(audit), {
            location,
            format: 'compressed',
            bytes: rest,
            isText: false,
            base: whole.length - rest.length,
        });
    return true;
}
/** A file that contains no other. */
async function auditLeaf(audit, item) {
    const { location, name, source, held } = item;
    countRead(audit, source.size);
    const isInWindows = isForWindows(name, source) || (source.whole === undefined && source.size > roomFor(audit, held));
    const bytes = isInWindows ? null : source.read(0, source.size);
    if (bytes === null) {
        auditWindows(audit, { location, name }, source, 0, source.size);
        return;
    }
    audit.progress(location, source.size);
    await auditFile(audit, { location, name, bytes });
    await auditAssemblies(audit, item, bytes);
}
async function auditAssemblies(audit, item, bytes) {
    const bound = Math.min(entryBound(audit, bytes.length), roomFor(audit, item.held));
    for (const assembly of readAssemblies(item.name, bytes, bound)) {
        if (assembly.bytes === null) {
            const where = inside(item.location, assembly.name);
            audit.collector.gap('corrupt', where, 'the assembly is compressed and cannot be opened');
        }
        else if (!(await auditEntry(audit, item, assembly.name, inMemory(assembly.bytes))))
            return;
    }
}
