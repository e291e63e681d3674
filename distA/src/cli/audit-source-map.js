import { t as fragmentsOf } from "./audit-fragments.js";
import { y as inside } from "./audit-marker.js";
import { t as scan } from "./audit-scan.js";
import { isRecord } from "../tokens/decode.js";
// dist/src/audit/javascript/fold-where-worth.js
/** Folds a script that contains a fragment of what is looked for; the parser is loaded for the first of them. */
async function foldWhereWorth(audit, script) {
	if (!fragmentsOf(audit.prefix).inBytes(script.bytes)) return;
	const { foldScript } = await import("./audit-fold-script.js");
	foldScript(audit, script);
}
// dist/src/audit/formats/source-map.js
/** Audits each source inside a map under its own name. @returns whether the bytes are a source map. */
async function auditSourceMap(audit, location, bytes) {
	let map;
	try {
		map = JSON.parse(bytes.toString("utf8").replace(/^\)\]\}'[^\n]*\n/, ""));
	} catch {
		audit.collector.gap("fallback", location, "read as raw bytes: its source-map tables do not parse");
		return false;
	}
	const maps = [map, ...isRecord(map) && Array.isArray(map["sections"]) ? map["sections"].map(mapOf) : []];
	let isMap = false;
	for (const one of maps) {
		if (!isRecord(one) || !Array.isArray(one["sources"])) continue;
		isMap = true;
		const contents = Array.isArray(one["sourcesContent"]) ? one["sourcesContent"] : [];
		for (const [index, content] of contents.entries()) {
			if (typeof content !== "string") continue;
			const sources = one["sources"];
			const file = {
				location: inside(location, String(sources[index] ?? `source ${index}`)),
				format: "javascript",
				bytes: Buffer.from(content)
			};
			audit.spent.entries += 1;
			scan(audit, {
				...file,
				isText: true
			});
			await foldWhereWorth(audit, {
				...file,
				base: 0,
				isCertain: false
			});
		}
	}
	return isMap;
}
function mapOf(section) {
	return isRecord(section) ? section["map"] : void 0;
}
export { foldWhereWorth as n, auditSourceMap as t };
