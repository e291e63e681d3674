import { exposed } from './formats/exposure.js';
import { isFairPlayEncrypted } from './formats/fairplay.js';
import { formatOf } from './formats/format.js';
import { auditSqlite } from './formats/sqlite.js';
import { fromUtf16 } from './formats/utf-16.js';
import { exceptKnown } from './report-to.js';
import { scan } from './scan/scan.js';
/** A file that contains no other: read by its format's table where it has one, and every byte of it in any case. */
export async function auditFile(audit, { location, name, bytes }) {
    const format = formatOf(name, bytes);
    if (format.name.startsWith('mach-o') && isFairPlayEncrypted(bytes))
        audit.collector.gap('fairplay', location, 'the code is FairPlay-encrypted');
    if (format.name === 'env')
        exposed(audit, location, format.name, 'an environment file');
    if (format.name === 'source-map' && (await isSourceMap(audit, location, bytes)))
        exposed(audit, location, format.name, 'a source map');
    // A source that was read out of its map is not reported a second time as a part of the map's own text.
    const own = format.name === 'source-map' ? exceptKnown(audit) : audit;
    const table = () => tableOf(audit, location, format, bytes);
    const text = format.isText ? null : fromUtf16(bytes);
    if (text !== null) {
        // What is only seen in its own bytes is reported by the scan below.
        scan(audit, { location, format: format.name, bytes: text, isText: true });
        await auditScriptsOf(audit, location, format, text);
    }
    const isTableRead = scan(text === null ? own : exceptKnown(audit), {
        location,
        format: format.name,
        bytes,
        isText: format.isText,
        table,
    });
    // Where nothing was found, the tables tell no more than whether the file is whole.
    if (!isTableRead && isCutOff(format, bytes))
        fallback(audit, location, format);
    if (format.name === 'sqlite') {
        auditSqlite(audit, { location, bytes });
    }
    if (text === null)
        await auditScriptsOf(audit, location, format, bytes);
}
async function auditScriptsOf(audit, location, { name, isCertain = false }, bytes) {
    if (!withScripts.has(name))
        return;
    const { auditScripts } = await import('./formats/embedded.js');
    await auditScripts(audit, { location, format: name, bytes, isCertain });
}
/** Their parsers are loaded for the first of them: most bundles of apps hold none. */
const withScripts = new Set(['javascript', 'html', 'ram-bundle']);
async function isSourceMap(audit, location, bytes) {
    const { auditSourceMap } = await import('./formats/source-map.js');
    return await auditSourceMap(audit, location, bytes);
}
function tableOf(audit, location, format, bytes) {
    try {
        return format.read?.(bytes);
    }
    catch (error) {
        if (!(error instanceof RangeError))
            throw error;
        fallback(audit, location, format);
        return undefined;
    }
}
function fallback({ collector }, location, { name }) {
    collector.gap('fallback', location, `read as raw bytes: its ${name} tables do not parse`);
}
/** Where a header says how long its file is, as 32 bits in little endian. */
const lengthAt = { dex: 32, hermes: 32, arsc: 4, 'binary-xml': 4 };
function isCutOff({ name }, bytes) {
    const at = lengthAt[name];
    return at !== undefined && (at + 4 > bytes.length || bytes.readUInt32LE(at) > bytes.length);
}
