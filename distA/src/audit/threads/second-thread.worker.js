import { parentPort, workerData } from 'node:worker_threads';
import { mayBeOpened } from '../containers/openable.js';
import { createAudit } from '../create-audit.js';
import { formatOf } from '../formats/format.js';
import { auditOnDisk, createReader } from '../on-disk.js';
import { claimsIn } from './claims.js';
/**
 * Left to the first thread are larger files, larger texts (whose parsers take several times their size), containers, and
 * files whose names are no UTF-8.
 */
const largest = 16 * 1024 * 1024;
const largestText = 1024 * 1024;
function leaves(name, size, bytes) {
    if (bytes === null)
        return size > largest;
    return mayBeOpened(name, bytes) || (size > largestText && formatOf(name, bytes.subarray(0, 65_536)).isText);
}
const { files, claims: states, settings } = workerData;
const claims = claimsIn(states);
const audit = createAudit(settings);
const read = createReader();
for (const [index, file] of [...files.entries()].reverse()) {
    if (!claims.takeSecond(index))
        continue;
    const isLeft = typeof file.path !== 'string' || !(await auditOnDisk(audit, file, { read, leaves }));
    if (isLeft)
        claims.leave(index);
}
const { entries, bytes } = audit.spent;
parentPort?.postMessage({
    findings: audit.collector.findings(),
    gaps: audit.collector.gaps(),
    entries,
    bytes,
});
