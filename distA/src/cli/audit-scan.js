import { _ as keyRule, f as place, o as reportJwt, p as keyAt, s as reportMintCall } from "./audit-marker.js";
// dist/src/audit/scan/window.js
var before$1 = 4096;
var after = 8192;
/** What surrounds a hit in bytes without a string table. */
function rawWindow(bytes, offset, view) {
	const unit = unitOf(view);
	return windowOf(bytes, {
		start: Math.max(offset % unit, offset - before$1),
		end: Math.min(bytes.length, offset + after),
		view,
		role: "value"
	}, offset, false, view);
}
/** The string that a table says contains the hit; of a very long one, what surrounds the hit. */
function exactWindow(bytes, extent, offset) {
	const start = Math.max(extent.start, offset - before$1);
	const end = Math.min(extent.end, offset + 2 * after);
	return windowOf(bytes, {
		...extent,
		start,
		end
	}, offset, true, "string-table");
}
function windowOf(bytes, { start, end, view, role }, offset, isExact, decoder) {
	const unit = unitOf(view);
	return {
		text: textOf(bytes.subarray(start, end), view),
		at: (offset - start) / unit,
		offsetOf: (index) => start + index * unit,
		isExact,
		role,
		decoder
	};
}
/** Bytes of a character. */
function unitOf(view) {
	return view === "utf-8" ? 1 : 2;
}
function textOf(bytes, view) {
	if (view === "utf-8") return bytes.toString("latin1");
	const even = bytes.subarray(0, bytes.length & -2);
	return view === "utf-16le" ? even.toString("utf16le") : Buffer.from(even).swap16().toString("utf16le");
}
// dist/src/audit/scan/escapes.js
/** In characters: longer than the prefix is when all of it is escaped. */
var before = 320;
/** How far from an escape its surroundings reach, in characters: others that are nearer need not be named. */
var stretch = 8192;
/** Collects escapes that come in ascending order, those of UTF-16 apart by view and by the byte they begin with. */
function createEscapes() {
	const groups = /* @__PURE__ */ new Map();
	return {
		groups,
		add(offset, view) {
			const unit = unitOf(view);
			const name = `${view} ${offset % unit}`;
			const { offsets } = groups.get(name) ?? {
				view,
				offsets: []
			};
			if (offset < (offsets.at(-1) ?? Number.NEGATIVE_INFINITY) + stretch * unit) return;
			offsets.push(offset);
			groups.set(name, {
				view,
				offsets
			});
		}
	};
}
/** Finds the prefix in mixtures of plain and escaped characters. Only around escapes it has to be looked for. */
function* escapedPrefixes({ prefix, escaped }, bytes, { view, offsets }) {
	const unit = unitOf(view);
	let done = 0;
	for (const offset of offsets) {
		const from = Math.max(done, offset % unit, offset - before * unit);
		done = offset + stretch * unit;
		const text = textOf(bytes.subarray(from, done + before * unit), view);
		for (const { 0: match, index } of text.matchAll(escaped)) {
			const start = from + index * unit;
			if (match !== prefix && start < done && /[\\%&]/.test(match)) yield {
				offset: start,
				length: match.length * unit
			};
		}
	}
}
// dist/src/audit/scan/decode.js
/** Base64 and base64url around an index; `phase` is the place of that character in its group of four. */
function base64Around(text, at, phase) {
	const isDigit = (char) => char !== void 0 && /[A-Za-z0-9+/_-]/.test(char);
	let start = at - phase;
	for (const index of range(Math.max(0, start), at)) if (!isDigit(text[index])) return base64From(text, at, phase);
	while (start >= 4 && [
		1,
		2,
		3,
		4
	].every((back) => isDigit(text[start - back]))) start -= 4;
	let end = at;
	while (isDigit(text[end])) end += 1;
	return {
		text: Buffer.from(text.slice(start, end), "base64").toString("latin1"),
		at: Math.floor((at - start) * 6 / 8)
	};
}
/** The characters before the hit are no base64: the group is filled up, and what fills it is not the hit's. */
function base64From(text, at, phase) {
	const rest = /^[A-Za-z0-9+/_-]*/.exec(text.slice(at))?.[0] ?? "";
	return {
		text: Buffer.from("A".repeat(phase) + rest, "base64").toString("latin1"),
		at: Math.floor(phase * 6 / 8)
	};
}
function* range(from, to) {
	for (let index = from; index < to; index++) yield index;
}
function hexAround(text, at) {
	const run = /^(?:[0-9a-fA-F]{2})*/.exec(text.slice(at))?.[0] ?? "";
	return {
		text: Buffer.from(run, "hex").toString("latin1"),
		at: 0
	};
}
function reversedAround(text, at, prefix) {
	const end = at + prefix.length;
	return {
		text: [.../[A-Za-z0-9_-]*$/.exec(text.slice(Math.max(0, end - 1024), end))?.[0] ?? ""].reverse().join(""),
		at: 0
	};
}
var escapeForm = /%([0-9a-f]{2})|\\x([0-9a-f]{2})|\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\([0-3][0-7]{2}|[0-7]{2})|&#x([0-9a-f]{1,6});|&#([0-9]{1,7});|&(?:lowbar|UnderBar);/giy;
/** Resolves percent, `\x`, `\u`, octal and entity escapes from an index on, as far as a key could reach. */
function escapedFrom(text, at) {
	let decoded = "";
	for (let index = at; index < text.length && decoded.length < 1024;) {
		escapeForm.lastIndex = index;
		const match = escapeForm.exec(text);
		if (match === null) {
			decoded += text[index] ?? "";
			index += 1;
			continue;
		}
		decoded += unescaped(match);
		index += match[0].length;
	}
	return {
		text: decoded,
		at: 0
	};
}
function unescaped([, percent, x, u, braced, octal, entity, decimal]) {
	const hex = percent ?? x ?? u ?? braced ?? entity;
	if (hex === void 0 && octal === void 0 && decimal === void 0) return "_";
	const code = hex !== void 0 ? Number.parseInt(hex, 16) : octal !== void 0 ? Number.parseInt(octal, 8) : Number(decimal);
	return code <= 1114111 ? String.fromCodePoint(code) : "�";
}
function unxored(bytes, offset, key) {
	let text = "";
	for (let at = offset; at < Math.min(bytes.length, offset + 1024); at++) {
		const char = String.fromCharCode((bytes[at] ?? 0) ^ key);
		if (!/[A-Za-z0-9_-]/.test(char)) break;
		text += char;
	}
	return text;
}
// dist/src/audit/scan/key-in-place.js
/** Code of native programs, whose strings may be packed back to back or cut into pieces. */
var native = /^(?:elf|mach-o|mach-o-fat|wasm)$/;
/** What a candidate is worth where it stands; `null` where it is nothing. */
function shapeIn(key, window, file) {
	const { shape } = key;
	if (file.isText || window.isExact) {
		if (key.isGlued && shape === "strong") return "weak";
		if (key.follows && shape !== "strong") return shape === "weak" ? "identifier" : null;
	}
	if (window.role === "name" && shape === "weak") return "identifier";
	if (shape === "bare" && (window.role === "name" || !isLiteral(file, window, key))) return null;
	return shape;
}
/** The bare prefix counts where it is a string of its own or the end of one, not in running text. */
function isLiteral(file, window, { previous, next }) {
	if (window.isExact) return next === "";
	const closes = file.isText ? /^["'`$]$/ : /^\0$/;
	const opens = file.isText ? /^["'` ]$/ : /^[^A-Za-z_]$/;
	return closes.test(next) && (previous === "" || opens.test(previous));
}
/** Whether a candidate ends where the secret does. */
function isEndKnown(file, window, { previous, next }) {
	if (window.isExact || file.isText || next === "" || next === "\0") return true;
	if (/["'`]/.test(next) && next === previous) return true;
	return !native.test(file.format) && (/\p{Cc}/u.test(next) || /[\s"'`<]/.test(next));
}
/** The whole of a key that goes on in escapes; `null` where it does not. */
function withEscapes({ prefix, leastSuffix }, { text, at }, key) {
	if (!/[\\%&]/.test(key.next)) return null;
	const whole = keyAt(escapedFrom(text, at).text, 0, prefix, leastSuffix);
	return whole.secret.length > key.secret.length ? {
		...key,
		secret: whole.secret,
		shape: whole.shape,
		next: whole.next
	} : null;
}
// dist/src/audit/scan/report-key.js
function reportPlain(audit, file, window) {
	const stated = !window.isExact && !file.isText ? statedLength(window, audit.prefix) : null;
	const text = stated === null ? window.text : window.text.slice(0, window.at + stated);
	const key = keyAt(text, window.at, audit.prefix, audit.leastSuffix);
	const whole = stated === null ? withEscapes(audit, window, key) : null;
	const shape = shapeIn(whole ?? key, window, file);
	if (shape === null) return;
	const rule = ruleIn(window, keyRule(whole === null ? "plain" : "encoded", shape));
	if (rule === null) return;
	audit.collector.report({
		...rule,
		...place(file, window, window.at),
		decoder: whole === null ? window.decoder : "escape",
		secret: (whole ?? key).secret,
		show: audit.prefix,
		...rule.kind !== "key" || isEndKnown(file, window, whole ?? key) ? {} : { extent: "uncertain" }
	});
}
/** Nobody uses what two strings make by standing side by side; it is counted all the same. */
function ruleIn({ isTorn = false }, rule) {
	return isTorn && rule !== null ? {
		rule: "AUD-003",
		level: "note",
		kind: "identifier"
	} : rule;
}
/**
* Many binary formats put the length of a string into the byte before it (protobuf, among others), and the tag of the
* next field directly after. Where that byte is usual punctuation, a tag has to stand before it.
*/
function statedLength({ text, at }, prefix) {
	const length = text.charCodeAt(at - 1);
	if (!(length >= prefix.length + 8 && length < 128)) return null;
	const run = /^[A-Za-z0-9_-]*/.exec(text.slice(at, at + 512))?.[0].length ?? 0;
	const isPunctuation = /[\s"'`=:/,([{<>]/.test(text[at - 1] ?? "");
	const followsTag = /\p{Cc}/u.test(text[at - 2] ?? "") && text[at + run] !== text[at - 1];
	if (isPunctuation && !followsTag) return null;
	return run >= length ? length : null;
}
function reportDecoded(audit, file, window, form, phase) {
	const { text, at } = decodedAs(form, window, phase, audit.prefix);
	if (!text.startsWith(audit.prefix, at)) return;
	const { secret, shape, next } = keyAt(text, at, audit.prefix, audit.leastSuffix);
	const found = keyRule(form === "reversed" ? "folded" : "encoded", shape);
	if (found?.kind !== "key") return;
	const rule = ruleIn(window, found);
	const decoder = form === "escaped" ? escapeName(window) : form;
	const previous = window.text[window.at - 1] ?? "";
	const isCut = form === "escaped" ? !isEndKnown(file, window, {
		previous,
		next
	}) : form === "base64" && next !== "" && !/[\s"'\\,;}&<\0]/.test(next) && !file.isText;
	audit.collector.report({
		...rule,
		...place(file, window, window.at),
		decoder,
		secret,
		show: audit.prefix,
		...isCut ? { extent: "uncertain" } : {}
	});
}
/** By the first escape: the characters before it may be plain. */
function escapeName({ text, at }) {
	const [first = ""] = /[\\%&]/.exec(text.slice(at)) ?? [];
	return {
		"%": "percent",
		"&": "entity"
	}[first] ?? "escape";
}
function decodedAs(form, { text, at }, phase, prefix) {
	if (form === "base64") return base64Around(text, at, phase);
	if (form === "hex") return hexAround(text, at);
	if (form === "reversed") return reversedAround(text, at, prefix);
	return escapedFrom(text, at);
}
function reportXored(audit, file, offset, key) {
	const text = unxored(file.bytes, offset, key);
	const { secret, shape } = keyAt(text, 0, audit.prefix, audit.leastSuffix);
	const rule = keyRule("xor", shape);
	if (rule === null) return;
	const { location, format, base = 0 } = file;
	audit.collector.report({
		...rule,
		location,
		format,
		decoder: "xor",
		offset: base + offset,
		secret,
		show: audit.prefix,
		extent: "uncertain"
	});
}
// dist/src/audit/scan/shadow.js
var longest = 512;
/**
* UTF-16 text of plain letters reads as the other byte order too, from its second byte on, or from a zero before it.
* Where the other reading goes on longer, this one is its shadow: the last letter is lost in it.
*/
function isShadow(bytes, offset, view) {
	if (view === "utf-8") return false;
	const isLittle = view === "utf-16le";
	return lettersFrom(bytes, isLittle ? offset - 1 : offset + 1, isLittle ? 1 : 0) > lettersFrom(bytes, offset, isLittle ? 0 : 1);
}
/** How many printable characters follow each other; `low` is the place of a character's low byte. */
function lettersFrom(bytes, offset, low) {
	let count = 0;
	for (let at = offset; count < longest && isPrintable(bytes[at + low]) && bytes[at + 1 - low] === 0; at += 2) count += 1;
	return count;
}
function isPrintable(byte) {
	return byte !== void 0 && byte > 32 && byte < 127;
}
// dist/src/audit/scan/string-lookup.js
var maxSteps = 2e7;
/** Strings may overlap, and a hostile table may have all of them overlap: what a whole file costs is bounded. */
function lookup({ extents, regions }) {
	const sorted = [...extents].sort((a, b) => a.start - b.start);
	const reach = new Float64Array(sorted.length);
	for (const [at, { end }] of sorted.entries()) reach[at] = Math.max(end, reach[at - 1] ?? 0);
	let steps = 0;
	return (start, end, view) => {
		const found = [];
		let isMisread = false;
		const beside = [];
		const isCovered = regions.some((region) => region.start <= start && end <= region.end);
		for (let at = countUntil(sorted, end - 1) - 1; at >= 0 && (reach[at] ?? 0) > start; at--) {
			const extent = sorted[at];
			steps += 1;
			if (extent === void 0 || extent.end <= start) continue;
			const isWhole = extent.start <= start && extent.end >= end;
			if (isWhole) found.push(extent);
			isMisread ||= isWhole && isWide(extent.view) && isWide(view);
			if (isCovered && isWide(extent.view) === isWide(view)) beside.push(extent);
		}
		steps += regions.length;
		if (steps > maxSteps) return null;
		return {
			extents: found.reverse(),
			isTorn: isCoveredBy(beside, start, end),
			isMisread
		};
	};
}
function isCoveredBy(extents, start, end) {
	let open = end;
	for (const extent of extents.toSorted((a, b) => b.end - a.end)) if (extent.end >= open) open = Math.min(open, extent.start);
	return open <= start;
}
/** The zero before a string in little endian makes it look like one in big endian. */
function isWide(view) {
	return view !== "utf-8";
}
/** How many strings begin at or before an offset. */
function countUntil(sorted, offset) {
	let low = 0;
	let high = sorted.length;
	while (low < high) {
		const middle = low + high >>> 1;
		if ((sorted[middle]?.start ?? 0) <= offset) low = middle + 1;
		else high = middle;
	}
	return low;
}
// dist/src/audit/scan/scan.js
/** Places to look at, and as many strings that contain them. */
var maxHits = 2e4;
/** Looks for every form in all of the bytes. @returns whether the table was asked for */
function scan(audit, file) {
	const { hits, xored, escapes, isFlood } = search(audit, file);
	if (isFlood) tooMany(audit, file);
	let find = null;
	let looked = 0;
	for (const hit of [...hits, ...mixed(audit, file, escapes)]) {
		find ??= lookupOf(file);
		const windows = windowsAt(file, find, hit);
		looked += windows?.length ?? maxHits;
		if (windows === null || looked > maxHits) {
			tooMany(audit, file);
			break;
		}
		for (const window of windows) interpret(audit, file, window, hit);
	}
	for (const [offset, key] of xored) reportXored(audit, file, offset, key);
	return find !== null;
}
/** Prefixes of which some characters are escaped. */
function mixed(audit, file, escapes) {
	return escapes.flatMap((some) => [...escapedPrefixes(audit, file.bytes, some)].filter(({ offset }) => isInCore(file, offset)).map((stretch) => ({
		...stretch,
		form: "escaped",
		view: some.view,
		phase: 0
	})));
}
function tooMany(audit, { location }) {
	audit.collector.gap("limit", location, `more than ${maxHits} places to look at`);
}
function isInCore({ core }, offset) {
	return core === void 0 || offset >= core.start && offset < core.end;
}
function search(audit, file) {
	const hits = [];
	const xored = [];
	const escapes = createEscapes();
	let isFlood = false;
	const keep = (list, offset, item) => {
		if (!isInCore(file, offset)) return;
		if (list.length < maxHits) list.push(item);
		else isFlood = true;
	};
	audit.searcher.search(file.bytes, {
		needle: (offset, { bytes, form, view, phase }) => {
			if (form === "escaped") escapes.add(offset, view);
			else keep(hits, offset, {
				offset,
				length: bytes.length,
				form,
				view,
				phase
			});
		},
		xored: (offset, key) => keep(xored, offset, [offset, key]),
		escape: (offset) => escapes.add(offset, "utf-8")
	});
	return {
		hits: hits.sort((a, b) => a.offset - b.offset),
		xored,
		escapes: [...escapes.groups.values()],
		isFlood
	};
}
var nowhere = () => ({
	extents: [],
	isTorn: false,
	isMisread: false
});
function lookupOf({ table }) {
	const read = table?.();
	return read === void 0 ? nowhere : lookup(read);
}
function windowsAt(file, find, { offset, length, form, view }) {
	const found = find(offset, offset + length, view);
	if (found === null) return null;
	const exact = found.extents.filter((extent) => extent.view === view && (view === "utf-8" || (offset - extent.start) % 2 === 0)).map((extent) => exactWindow(file.bytes, extent, offset));
	if (exact.length > 0 || found.isMisread) return exact;
	if ((form === "plain" || form === "escaped") && isShadow(file.bytes, offset, view)) return [];
	return [{
		...rawWindow(file.bytes, offset, view),
		isTorn: found.isTorn
	}];
}
function interpret(audit, file, window, { form, phase }) {
	if (form === "jwt") reportJwt(audit, file, window);
	else if (form === "mint-path") reportMintCall(audit, file, window);
	else if (form === "plain") reportPlain(audit, file, window);
	else reportDecoded(audit, file, window, form, phase);
}
export { scan as t };
