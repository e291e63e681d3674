import { d as formatOf, i as createReader, o as createAudit, r as auditOnDisk, t as claimsIn, u as mayBeOpened } from "./audit-claims.js";
import { parentPort, workerData } from "node:worker_threads";
// dist/src/audit/threads/second-thread.worker.js
/**
* Left to the first thread are larger files, larger texts (whose parsers take several times their size), containers, and
* files whose names are no UTF-8.
*/
var largest = 16777216;
var largestText = 1048576;
function leaves(name, size, bytes) {
	if (bytes === null) return size > largest;
	return mayBeOpened(name, bytes) || size > largestText && formatOf(name, bytes.subarray(0, 65536)).isText;
}
var { files, claims: states, settings } = workerData;
var claims = claimsIn(states);
var audit = createAudit(settings);
var read = createReader();
for (const [index, file] of [...files.entries()].reverse()) {
	if (!claims.takeSecond(index)) continue;
	if (typeof file.path !== "string" || !await auditOnDisk(audit, file, {
		read,
		leaves
	})) claims.leave(index);
}
var { entries, bytes } = audit.spent;
parentPort?.postMessage({
	findings: audit.collector.findings(),
	gaps: audit.collector.gaps(),
	entries,
	bytes
});
export {};
