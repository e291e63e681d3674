import { n as foldWhereWorth, t as auditSourceMap } from "./audit-source-map.js";
import { t as exposed } from "./audit-exposure.js";
// dist/src/audit/formats/embedded.js
var inlineMap = /sourceMappingURL=data:application\/json[^,\s]{0,64};base64,([A-Za-z0-9+/=]+)/g;
var inlineScript = /<script\b([^>]*)>([\s\S]*?)<\/script/gi;
/** As XML writes a script down. */
var inCdata = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/d;
var handler = /\son[a-z]{3,20}\s*=\s*(?:"([^"]*)"|'([^']*)')/dgi;
/** JavaScript in a file of its own or inside HTML, and the source maps inside it. */
async function auditScripts(audit, { location, format, bytes, isCertain = false }) {
	if (format === "html") return await auditPage(audit, location, bytes);
	if (format === "ram-bundle") for (const script of modulesIn(bytes)) await foldWhereWorth(audit, {
		location,
		format,
		isCertain: true,
		...script
	});
	if (format !== "javascript") return;
	await foldWhereWorth(audit, {
		location,
		format,
		bytes,
		base: 0,
		isCertain
	});
	await auditInlineMaps(audit, location, format, bytes);
}
/** React Native's indexed bundles: a table of offsets, then one script after the other, each with a zero at its end. */
function* modulesIn(bytes) {
	const count = bytes.length < 12 ? 0 : bytes.readUInt32LE(4);
	for (let base = 12 + count * 8; base < bytes.length;) {
		const zero = bytes.indexOf(0, base);
		const end = zero === -1 ? bytes.length : zero;
		if (end > base) yield {
			base,
			bytes: bytes.subarray(base, end),
			file: bytes
		};
		base = end + 1;
	}
}
async function auditPage(audit, location, bytes) {
	const text = bytes.toString("latin1");
	const fold = (start, end, isCertain) => foldWhereWorth(audit, {
		location,
		format: "html",
		bytes: bytes.subarray(start, end),
		base: start,
		file: bytes,
		isCertain
	});
	for (const match of text.matchAll(inlineScript)) {
		const [whole, attributes = "", script = ""] = match;
		const [, type = "text/javascript"] = /\btype\s*=\s*["']?([^"'\s>]*)/i.exec(attributes) ?? [];
		if (!/^(?:module|(?:text|application)\/(?:javascript|ecmascript|babel|jsx))?$/i.test(type)) continue;
		const start = match.index + whole.indexOf(">") + 1;
		const [from, to] = inCdata.exec(script)?.indices?.[1] ?? [0, script.length];
		await fold(start + from, start + to, !/babel|jsx/i.test(type));
	}
	for (const { indices } of text.matchAll(handler)) {
		const [start, end] = indices?.[1] ?? indices?.[2] ?? [0, 0];
		await fold(start, end, false);
	}
	await auditInlineMaps(audit, location, "html", bytes);
}
async function auditInlineMaps(audit, location, format, bytes) {
	if (!bytes.includes("sourceMappingURL=data:")) return;
	for (const match of bytes.toString("latin1").matchAll(inlineMap)) if (await auditSourceMap(audit, location, Buffer.from(match[1] ?? "", "base64"))) exposed(audit, location, format, "an inline source map");
}
export { auditScripts };
