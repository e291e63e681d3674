import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { spend } from './containers/budget.js';
import { streamFor } from './containers/compressed-stream.js';
import { inMemory } from './containers/source.js';
import { isTar } from './containers/tar.js';
import { formatOf } from './formats/format.js';
import { scan } from './scan/scan.js';
/** More than the surroundings that any reading of a hit takes into account. */
const before = 8192;
const after = 32_768;
const core = 4 * 1024 * 1024;
const pieceBytes = 1024 * 1024;
/** Scans bytes that come in pieces, in windows that overlap: every place is reported by one of them, with all around it. */
function createWindows(audit, { location, name = '', format: given }, start = 0) {
    const window = Buffer.allocUnsafe(before + core + after);
    let format = given === undefined ? undefined : { name: given, isText: false };
    let base = start;
    let filled = 0;
    let coreStart = 0;
    const flush = (isLast) => {
        const bytes = window.subarray(0, filled);
        format ??= formatInWindows(audit, location, name, bytes);
        const coreEnd = isLast ? filled : filled - after;
        const place = { location, format: format.name, isText: format.isText };
        scan(audit, { ...place, bytes, base, core: { start: coreStart, end: coreEnd } });
        const kept = Math.max(0, coreEnd - before);
        window.copyWithin(0, kept, filled);
        base += kept;
        filled -= kept;
        coreStart = coreEnd - kept;
    };
    return {
        push(piece) {
            audit.progress(location, piece.length);
            for (let taken = 0; taken < piece.length;) {
                const count = piece.copy(window, filled, taken);
                taken += count;
                filled += count;
                if (filled === window.length)
                    flush(false);
            }
        },
        end: () => flush(true),
    };
}
/** Formats of text that have more to be read than their bytes, and take several times their size to do so. */
const readWhole = new Set(['javascript', 'html', 'source-map']);
const largestParsed = 48 * 1024 * 1024;
/** Whether a file is read in windows although it could be held in memory. */
export function isForWindows(name, source) {
    return source.size > largestParsed && readWhole.has(formatOf(name, source.read(0, 65_536)).name);
}
function formatInWindows(audit, location, name, head) {
    const format = formatOf(name, head);
    if (isContainer(name, head))
        audit.collector.gap('limit', location, 'a container too large to be opened here: read as raw bytes');
    else if (format.read !== undefined || readWhole.has(format.name))
        audit.collector.gap('limit', location, 'too large to be read by its format: read as raw bytes');
    return format;
}
function isContainer(name, head) {
    return (head.toString('latin1', 0, 4) === 'PK\x03\x04' || isTar(inMemory(head)) || streamFor(name, head) !== null);
}
/** Scans a stretch of a source without reading all of it into memory. */
export function auditWindows(audit, place, source, start, end) {
    const windows = createWindows(audit, place, start);
    for (const piece of pieces(source, start, end))
        windows.push(piece);
    windows.end();
}
/** What of a container no entry accounts for. */
export function auditRest(audit, place, source, start, end) {
    if (source.whole === undefined && end - start > pieceBytes)
        auditWindows(audit, place, source, start, end);
    else
        scan(audit, { ...place, bytes: source.read(start, end), isText: false, base: start });
}
function* pieces(source, start, end) {
    for (let at = start; at < end; at += pieceBytes)
        yield source.read(at, Math.min(end, at + pieceBytes));
}
/** Scans what comes out of a decompressor, up to a bound. `crc` is what its checksum has to be, where that is known. */
export async function auditStream(audit, { location, name, source }, decompress, bound, crc = null) {
    const windows = createWindows(audit, { location, name });
    let total = 0;
    let sum = 0;
    const input = Readable.from(pieces(source, 0, source.size));
    input.pipe(decompress);
    try {
        for await (const piece of decompress) {
            total += piece.length;
            if (crc !== null)
                sum = crc32(piece, sum);
            windows.push(piece);
            if (total <= bound && spend(audit, piece.length))
                continue;
            audit.collector.gap('limit', location, 'over the size limit');
            break;
        }
        if (crc !== null && total <= bound && sum !== crc)
            audit.collector.gap('corrupt', location, 'the checksum does not match');
    }
    catch (error) {
        if (!(error instanceof Error))
            throw error;
        audit.collector.gap('corrupt', location, 'the compressed data is corrupt or cut off');
    }
    finally {
        input.destroy();
        decompress.destroy();
    }
    windows.end();
    audit.spent.entries += 1;
    audit.spent.bytes += total;
}
