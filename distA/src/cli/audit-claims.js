import { t as exposed } from "./audit-exposure.js";
import { t as scan } from "./audit-scan.js";
import { b as lastPart, g as exceptKnown, h as createCollector, i as needlesFor, m as defaultPrefix, r as escapedPattern, t as createMarker, v as createNameCleaner, x as printable, y as inside } from "./audit-marker.js";
import { createRequire } from "node:module";
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { brotliDecompressSync, constants, crc32, createBrotliDecompress, createGunzip, createInflateRaw, createZstdDecompress, gunzipSync, inflateRaw, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { closeSync, constants as constants$1, fstatSync, lstatSync, openSync, readSync, readdirSync, realpathSync, statSync } from "node:fs";
import { isRecord, readToken } from "../tokens/decode.js";
import { expandXz } from "../audit/containers/xz.js";
// dist/src/audit/formats/fairplay.js
var encryptionInfo = /* @__PURE__ */ new Set([33, 44]);
/** Whether a Mach-O, thin or fat, says that a part of it is encrypted for the store. */
function isFairPlayEncrypted(bytes) {
	try {
		const magic = bytes.readUInt32BE(0);
		if (magic !== 3405691582 && magic !== 3405691583) return isThinEncrypted(bytes);
		const wide = magic === 3405691583;
		const count = Math.min(32, bytes.readUInt32BE(4));
		for (let arch = 0; arch < count; arch++) {
			const at = 8 + arch * (wide ? 32 : 20) + 8;
			const start = wide ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
			if (isThinEncrypted(bytes.subarray(start))) return true;
		}
		return false;
	} catch (error) {
		if (error instanceof RangeError) return false;
		throw error;
	}
}
function isThinEncrypted(bytes) {
	const magic = bytes.readUInt32BE(0);
	const isLittle = magic === 3472551422 || magic === 3489328638;
	const read = (at) => isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
	let at = magic === 3489328638 || magic === 4277009103 ? 32 : 28;
	const count = Math.min(read(16), 1e4);
	for (let command = 0; command < count; command++) {
		const size = read(at + 4);
		if (encryptionInfo.has(read(at)) && read(at + 16) !== 0) return true;
		if (size < 8) return false;
		at += size;
	}
	return false;
}
// dist/src/audit/formats/most-strings.js
/** More than any real file has; a table of more would take more memory than there is for it. */
var mostStrings = 1e6;
/** @throws RangeError where a table says that it has more strings, or references to them, than can be held */
function assertHoldable(count) {
	if (count > mostStrings) throw new RangeError("more strings than can be held");
}
// dist/src/audit/formats/string-pool.js
/** A `ResStringPool` chunk of Android's compiled resources, in UTF-8 or UTF-16. */
function readStringPool(bytes, at, roleOf) {
	const headerSize = bytes.readUInt16LE(at + 2);
	const count = bytes.readUInt32LE(at + 8);
	const isUtf8 = (bytes.readUInt32LE(at + 16) & 256) !== 0;
	const start = at + bytes.readUInt32LE(at + 20);
	if (count * 4 > bytes.length) throw new RangeError("the pool is longer than the file");
	assertHoldable(count);
	const extents = [];
	for (let index = 0; index < count; index++) {
		const from = start + bytes.readUInt32LE(at + headerSize + index * 4);
		const extent = isUtf8 ? utf8At(bytes, from) : utf16At(bytes, from);
		assertEnded(bytes, extent);
		extents.push({
			...extent,
			role: roleOf(index)
		});
	}
	return extents;
}
/** A length that does not lead to the zero after its string may cut a key in two. */
function assertEnded(bytes, { end, view }) {
	if (!(bytes[end] === 0 && (view === "utf-8" || bytes[end + 1] === 0))) throw new RangeError("a string does not end where its length says");
}
function utf8At(bytes, from) {
	let at = from;
	at += (bytes.readUInt8(at) & 128) === 0 ? 1 : 2;
	const first = bytes.readUInt8(at);
	const length = (first & 128) === 0 ? first : (first & 127) << 8 | bytes.readUInt8(at + 1);
	const start = at + ((first & 128) === 0 ? 1 : 2);
	return {
		start,
		end: start + length,
		view: "utf-8"
	};
}
function utf16At(bytes, from) {
	const first = bytes.readUInt16LE(from);
	const isLong = (first & 32768) !== 0;
	const units = isLong ? (first & 32767) << 16 | bytes.readUInt16LE(from + 2) : first;
	const start = from + (isLong ? 4 : 2);
	return {
		start,
		end: start + units * 2,
		view: "utf-16le"
	};
}
// dist/src/audit/formats/arsc.js
var pool = 1;
var packageChunk = 512;
/** `resources.arsc`: the global pool holds values, the pools inside a package hold names of types and keys. */
function readArsc(bytes) {
	const extents = [];
	const regions = [];
	const read = (from, to, role) => {
		for (let at = from; at + 8 <= to;) {
			const type = bytes.readUInt16LE(at);
			const size = bytes.readUInt32LE(at + 4);
			if (size < 8 || at + size > bytes.length) throw new RangeError("a chunk is longer than the file");
			if (type === pool) {
				for (const extent of readStringPool(bytes, at, () => role)) extents.push(extent);
				assertHoldable(extents.length);
				regions.push({
					start: at,
					end: at + size
				});
			} else if (type === packageChunk) read(at + bytes.readUInt16LE(at + 2), at + size, "name");
			at += size;
		}
	};
	read(bytes.readUInt16LE(2), Math.min(bytes.length, bytes.readUInt32LE(4)), "value");
	if (bytes.readUInt32LE(4) > bytes.length) throw new RangeError("the table is cut off");
	return {
		extents,
		regions
	};
}
// dist/src/audit/formats/axml.js
var startElement = 258;
var none = 4294967295;
/** Binary XML: a string of its pool is a value where an attribute or a text refers to it, and a name otherwise. */
function readAxml(bytes) {
	const end = bytes.readUInt32LE(4);
	if (end > bytes.length) throw new RangeError("the document is cut off");
	const values = /* @__PURE__ */ new Set();
	let pool = -1;
	for (let at = 8; at + 8 <= end;) {
		const type = bytes.readUInt16LE(at);
		const size = bytes.readUInt32LE(at + 4);
		if (size < 8 || at + size > end) throw new RangeError("a chunk is longer than the file");
		if (type === 1) pool = at;
		if (type === 260) values.add(bytes.readUInt32LE(at + 16));
		if (type === startElement) for (const value of attributeValues(bytes, at)) values.add(value);
		at += size;
	}
	if (pool === -1) throw new RangeError("the document has no string pool");
	return {
		extents: readStringPool(bytes, pool, (index) => values.has(index) ? "value" : "name"),
		regions: [{
			start: pool,
			end: pool + bytes.readUInt32LE(pool + 4)
		}]
	};
}
function* attributeValues(bytes, element) {
	const first = element + 16 + bytes.readUInt16LE(element + 24);
	const size = bytes.readUInt16LE(element + 26);
	const count = bytes.readUInt16LE(element + 28);
	for (let index = 0; index < count; index++) {
		const raw = bytes.readUInt32LE(first + index * size + 8);
		if (raw !== none) yield raw;
		if (bytes.readUInt8(first + index * size + 15) === 3) yield bytes.readUInt32LE(first + index * size + 16);
	}
}
// dist/src/audit/formats/bplist.js
/** Binary property list: ASCII and UTF-16BE objects; a string that only dictionaries use as a key is a name. */
function readBplist(bytes) {
	const trailer = bytes.length - 32;
	const offsetSize = bytes.readUInt8(trailer + 6);
	const referenceSize = bytes.readUInt8(trailer + 7);
	const count = Number(bytes.readBigUInt64BE(trailer + 8));
	const table = Number(bytes.readBigUInt64BE(trailer + 24));
	if (count > bytes.length || offsetSize < 1 || offsetSize > 6 || referenceSize < 1 || referenceSize > 6) throw new RangeError("the trailer does not hold");
	assertHoldable(count);
	const keys = /* @__PURE__ */ new Set();
	const values = /* @__PURE__ */ new Set();
	const strings = [];
	let walked = 0;
	for (let index = 0; index < count; index++) {
		const at = bytes.readUIntBE(table + index * offsetSize, offsetSize);
		const marker = bytes.readUInt8(at);
		const { length, start } = lengthAt$1(bytes, at);
		const kind = marker >> 4;
		if (kind === 5 || kind === 6 || kind === 7) {
			const end = start + length * (kind === 6 ? 2 : 1);
			if (end > trailer) throw new RangeError("a string is cut off");
			strings.push([index, {
				start,
				end,
				view: kind === 6 ? "utf-16be" : "utf-8"
			}]);
		} else if (kind === 10 || kind === 12 || kind === 13) {
			const total = kind === 13 ? length * 2 : length;
			if (start + total * referenceSize > trailer) throw new RangeError("a collection is cut off");
			walked += total;
			if (walked > bytes.length) throw new RangeError("the collections are longer than the file");
			for (let item = 0; item < total; item++) {
				const reference = bytes.readUIntBE(start + item * referenceSize, referenceSize);
				(kind === 13 && item < length ? keys : values).add(reference);
			}
		}
	}
	return {
		extents: strings.map(([index, extent]) => ({
			...extent,
			role: keys.has(index) && !values.has(index) ? "name" : "value"
		})),
		regions: [{
			start: 8,
			end: table
		}]
	};
}
function lengthAt$1(bytes, at) {
	const low = bytes.readUInt8(at) & 15;
	if (low !== 15) return {
		length: low,
		start: at + 1
	};
	const size = 1 << (bytes.readUInt8(at + 1) & 15);
	if (size > 4) throw new RangeError("a length does not hold");
	return {
		length: bytes.readUIntBE(at + 2, size),
		start: at + 2 + size
	};
}
// dist/src/audit/formats/dex.js
/**
* Dalvik executable: every entry of `string_ids`. Those that name types, fields, methods, prototypes and source files
* are names, unless the code also loads them as a constant.
*/
function readDex(bytes) {
	if (bytes.readUInt32LE(32) > bytes.length) throw new RangeError("the file is cut off");
	const count = bytes.readUInt32LE(56);
	const table = bytes.readUInt32LE(60);
	assertHoldable(count);
	const names = namesOf(bytes);
	const extents = [];
	let low = bytes.length;
	let high = 0;
	let walked = 0;
	for (let index = 0; index < count; index++) {
		let start = bytes.readUInt32LE(table + index * 4);
		const from = start;
		while ((bytes.readUInt8(start) & 128) !== 0) start += 1;
		start += 1;
		const end = bytes.indexOf(0, start);
		if (end === -1) throw new RangeError("a string is cut off");
		walked += end - start;
		if (walked > bytes.length * 2) throw new RangeError("the strings are longer than the file");
		low = Math.min(low, from);
		high = Math.max(high, end + 1);
		extents.push({
			start,
			end,
			view: "utf-8",
			role: names.has(index) ? "name" : "value"
		});
	}
	return {
		extents,
		regions: high > low ? [{
			start: low,
			end: high
		}] : []
	};
}
/** Indices of strings that other tables use as names and no `const-string` loads. */
function namesOf(bytes) {
	const names = /* @__PURE__ */ new Set();
	const rows = (header, width, fields) => {
		const count = bytes.readUInt32LE(header);
		const start = bytes.readUInt32LE(header + 4);
		assertHoldable(count);
		for (let row = 0; row < count; row++) for (const field of fields) names.add(bytes.readUInt32LE(start + row * width + field));
	};
	rows(64, 4, [0]);
	rows(72, 12, [0]);
	rows(80, 8, [4]);
	rows(88, 8, [4]);
	rows(96, 32, [16]);
	const code = bytes.readUInt32LE(108);
	for (let at = code & -2; at + 4 <= bytes.length; at += 2) {
		const opcode = bytes[at];
		if (opcode === 26) names.delete(bytes.readUInt16LE(at + 2));
		else if (opcode === 27 && at + 6 <= bytes.length) names.delete(bytes.readUInt32LE(at + 2));
	}
	return names;
}
// dist/src/audit/formats/fields.js
function fieldsOf$1(bytes, isLittle, isWide) {
	const u32 = (at) => isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at);
	const u64 = (at) => Number(isLittle ? bytes.readBigUInt64LE(at) : bytes.readBigUInt64BE(at));
	return {
		u32,
		word: isWide ? u64 : u32
	};
}
// dist/src/audit/formats/nul-strings.js
var least = 8;
/**
* Reads the strings of sections in which each ends with a zero; shorter ones than a prefix are left out. One that its
* section cuts off goes on to its zero, as it does for a program that reads it, unless the end of a place ends it too.
* Sections do not overlap: more than twice what the file holds is a trap, and a RangeError.
*/
function createNulReader(bytes, { isEndedByPlace = false } = {}) {
	let walked = 0;
	return ({ start, end }, role, view = "utf-8") => {
		if (start < 0 || end > bytes.length || start > end) throw new RangeError("a section is outside the file");
		walked += end - start;
		if (walked > bytes.length * 2) throw new RangeError("the sections are longer than the file");
		const unit = view === "utf-8" ? 1 : 2;
		const extents = [];
		for (let from = start; from < end;) {
			assertHoldable(extents.length);
			const zero = nextZero(bytes, from, unit);
			const stop = isEndedByPlace ? Math.min(zero, end) : zero;
			if (stop - from >= least * unit) extents.push({
				start: from,
				end: stop,
				view,
				role
			});
			from = stop + unit;
		}
		return extents;
	};
}
function nextZero(bytes, from, unit) {
	const isZero = (at) => unit === 1 || bytes[at + 1] === 0 && (at - from) % 2 === 0;
	let at = bytes.indexOf(0, from);
	while (at !== -1 && !isZero(at)) at = bytes.indexOf(0, at + 1);
	return at === -1 ? bytes.length : at;
}
// dist/src/audit/formats/elf.js
var stringTable = 3;
var noBits = 8;
var holdsStrings = 32;
/**
* ELF: names of symbols and sections, and sections that say of themselves that they consist of strings. Other data,
* `.rodata` among it, has no table: languages other than C pack their strings there without an end.
*/
function readElf(bytes) {
	const isWide = bytes.readUInt8(4) === 2;
	const isLittle = bytes.readUInt8(5) === 1;
	const { u32, word } = fieldsOf$1(bytes, isLittle, isWide);
	const u16 = (at) => isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at);
	const stringsIn = createNulReader(bytes);
	const headers = word(isWide ? 40 : 32);
	const width = u16(isWide ? 58 : 46);
	const count = u16(isWide ? 60 : 48);
	const extents = [];
	const regions = [];
	if (headers === 0) return {
		extents,
		regions
	};
	for (let index = 0; index < count; index++) {
		const at = headers + index * width;
		const kind = u32(at + 4);
		const flags = word(at + 8);
		const start = word(at + (isWide ? 24 : 16));
		const end = start + word(at + (isWide ? 32 : 20));
		const unit = word(at + (isWide ? 56 : 36));
		const isStrings = Math.floor(flags / holdsStrings) % 2 === 1 && unit === 1;
		if (kind === noBits || kind !== stringTable && !isStrings) continue;
		for (const extent of stringsIn({
			start,
			end
		}, kind === stringTable ? "name" : "value")) extents.push(extent);
		regions.push({
			start,
			end
		});
	}
	return {
		extents,
		regions
	};
}
// dist/src/audit/formats/hermes.js
var overflowed = 255;
var identifierKind = 1;
/**
* Hermes bytecode, versions 84 to 99: strings are packed back to back and may overlap, so only the small string table
* knows where one begins and ends. @throws RangeError for another version, or where the tables do not hold.
*/
function readHermes(bytes) {
	const version = bytes.readUInt32LE(8);
	if (version < 84 || version > 99) throw new RangeError(`bytecode version ${version} is not known`);
	if (bytes.readUInt32LE(32) > bytes.length) throw new RangeError("the file is cut off");
	const table = tableOf$1(bytes, fieldsOf(bytes), version);
	if (table !== null) return table;
	throw new RangeError("the string table does not hold");
}
/** The header: magic 8, version 4, source hash 20, file length 4, global code 4, then counts. */
function fieldsOf(bytes) {
	const [functions = 0, kinds = 0, identifiers = 0, strings = 0, overflow = 0, storage = 0] = [
		40,
		44,
		48,
		52,
		56,
		60
	].map((at) => bytes.readUInt32LE(at));
	return {
		functions,
		kinds,
		identifiers,
		strings,
		overflow,
		storage
	};
}
var headerSize = 128;
function tableOf$1(bytes, fields, version) {
	const { functions, kinds, identifiers, strings, overflow, storage } = fields;
	for (const functionSize of version >= 98 ? [12, 16] : [16, 12]) {
		const kindsAt = headerSize + functions * functionSize;
		const runs = runsOf(bytes, kindsAt, kinds, strings);
		if (runs === null) continue;
		const stringsAt = kindsAt + kinds * 4 + identifiers * 4;
		const overflowAt = stringsAt + strings * 4;
		const storageAt = align(overflowAt + overflow * 8);
		if (storageAt + storage > bytes.length) continue;
		assertHoldable(strings);
		const extents = [];
		let run = 0;
		let long = 0;
		for (let index = 0; index < strings; index++) {
			const extent = stringAt(bytes, stringsAt + index * 4, overflowAt, overflow);
			if (extent === null || extent.end > storage) return null;
			if (extent.isLong) long += 1;
			while (run < runs.length && index >= (runs[run]?.[0] ?? 0)) run += 1;
			const role = runs[run]?.[1] === identifierKind ? "name" : "value";
			const { start, end, view } = extent;
			extents.push({
				start: storageAt + start,
				end: storageAt + end,
				view,
				role
			});
		}
		if (long !== overflow) return null;
		return {
			extents,
			regions: [{
				start: storageAt,
				end: storageAt + storage
			}]
		};
	}
	return null;
}
/** Runs of one kind each: the top bit says identifier, the rest how many. Returns the end of each run. */
function runsOf(bytes, at, count, strings) {
	if (at + count * 4 > bytes.length) return null;
	const runs = [];
	let total = 0;
	for (let run = 0; run < count; run++) {
		const entry = bytes.readUInt32LE(at + run * 4);
		total += entry & 2147483647;
		runs.push([total, entry >>> 31]);
	}
	return total === strings ? runs : null;
}
function stringAt(bytes, at, overflowAt, overflow) {
	const entry = bytes.readUInt32LE(at);
	const isUtf16 = (entry & 1) === 1;
	let start = entry >>> 1 & 8388607;
	let length = entry >>> 24;
	const isLong = length === overflowed;
	if (isLong) {
		if (start >= overflow) return null;
		const row = overflowAt + start * 8;
		start = bytes.readUInt32LE(row);
		length = bytes.readUInt32LE(row + 4);
	}
	return {
		start,
		end: start + length * (isUtf16 ? 2 : 1),
		view: isUtf16 ? "utf-16le" : "utf-8",
		isLong
	};
}
function align(offset) {
	return offset + 3 & -4;
}
// dist/src/audit/formats/java-class.js
var utf8 = 1;
var string = 8;
/** Bytes after the tag of each kind of constant. */
var widths$1 = {
	3: 4,
	4: 4,
	5: 8,
	6: 8,
	7: 2,
	8: 2,
	9: 4,
	10: 4,
	11: 4,
	12: 4,
	15: 3,
	16: 2,
	17: 4,
	18: 4,
	19: 2,
	20: 2
};
/**
* A class file: constants that the code, an initial value or an annotation uses are values; what names classes, members
* and types is a name.
*/
function readClass(bytes) {
	const count = bytes.readUInt16BE(8);
	const texts = [];
	const names = /* @__PURE__ */ new Set();
	const values = /* @__PURE__ */ new Set();
	let at = 10;
	for (let index = 1; index < count; index++) {
		const tag = bytes.readUInt8(at);
		if (tag === utf8) {
			const end = at + 3 + bytes.readUInt16BE(at + 1);
			if (end > bytes.length) throw new RangeError("the constant pool is cut off");
			texts.push([
				index,
				at + 3,
				end
			]);
			at = end;
			continue;
		}
		const width = widths$1[tag];
		if (width === void 0) throw new RangeError("a constant is of an unknown kind");
		if (tag === string) values.add(bytes.readUInt16BE(at + 1));
		else if (tag === 7 || tag === 16 || tag === 19 || tag === 20) names.add(bytes.readUInt16BE(at + 1));
		else if (tag === 12) {
			names.add(bytes.readUInt16BE(at + 1));
			names.add(bytes.readUInt16BE(at + 3));
		}
		if (tag === 5 || tag === 6) index += 1;
		at += 1 + width;
	}
	const end = at;
	readMembers$1(bytes, at + 6, names);
	return {
		extents: texts.map(([index, start, stop]) => ({
			start,
			end: stop,
			view: "utf-8",
			role: names.has(index) && !values.has(index) ? "name" : "value"
		})),
		regions: [{
			start: 10,
			end
		}]
	};
}
/** Names of fields and methods, and of their types and attributes. */
function readMembers$1(bytes, from, names) {
	let at = from + 2 + bytes.readUInt16BE(from) * 2;
	for (const _ of ["fields", "methods"]) {
		const count = bytes.readUInt16BE(at);
		at += 2;
		for (let member = 0; member < count; member++) {
			names.add(bytes.readUInt16BE(at + 2));
			names.add(bytes.readUInt16BE(at + 4));
			const attributes = bytes.readUInt16BE(at + 6);
			at += 8;
			for (let attribute = 0; attribute < attributes; attribute++) {
				names.add(bytes.readUInt16BE(at));
				at += 6 + bytes.readUInt32BE(at + 2);
			}
		}
	}
}
// dist/src/audit/formats/mach-o.js
var segment32 = 1;
var symbols = 2;
var segment64 = 25;
var cstringLiterals = 2;
/** Sections whose strings are names of the program: selectors, classes, types, fields. */
var names = /^__objc_(?:methname|classname|methtype)$|^__swift5_reflstr$/;
/**
* Mach-O, thin in either byte order or fat: C strings and constant strings of Foundation (which point at them) are
* values, names of Objective-C and Swift and the symbol table are names. Other sections have no table.
*/
function readMachO(bytes) {
	const table = {
		extents: [],
		regions: [],
		stringsIn: createNulReader(bytes)
	};
	for (const start of slices(bytes)) readSlice(bytes, start, table);
	return {
		extents: table.extents,
		regions: table.regions
	};
}
function slices(bytes) {
	const magic = bytes.readUInt32BE(0);
	if (magic !== 3405691582 && magic !== 3405691583) return [0];
	const isWide = magic === 3405691583;
	return Array.from({ length: Math.min(32, bytes.readUInt32BE(4)) }, (_, index) => {
		const at = 8 + index * (isWide ? 32 : 20) + 8;
		return isWide ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
	});
}
function readSlice(bytes, base, table) {
	const magic = bytes.readUInt32BE(base);
	const isLittle = magic === 3472551422 || magic === 3489328638;
	const isWide = magic === 3489328638 || magic === 4277009103;
	if (!isLittle && !isWide && magic !== 4277009102) return;
	const fields = fieldsOf$1(bytes, isLittle, isWide);
	let at = base + (isWide ? 32 : 28);
	const count = fields.u32(base + 16);
	for (let command = 0; command < count; command++) {
		const [kind, size] = [fields.u32(at), fields.u32(at + 4)];
		if (size < 8) throw new RangeError("a load command does not hold");
		if (kind === segment32 || kind === segment64) readSegment$1(bytes, {
			base,
			at,
			isLittle,
			isWide: kind === segment64
		}, fields, table);
		if (kind === symbols) {
			const start = base + fields.u32(at + 16);
			add({
				start,
				end: start + fields.u32(at + 20)
			}, table, "name");
		}
		at += size;
	}
}
function readSegment$1(bytes, { base, at, isLittle, isWide }, fields, table) {
	const count = fields.u32(at + (isWide ? 64 : 48));
	const width = isWide ? 80 : 68;
	for (let index = 0; index < count; index++) {
		const section = at + (isWide ? 72 : 56) + index * width;
		const name = bytes.toString("latin1", section, section + 16).replace(/\0.*$/s, "");
		const size = fields.word(section + (isWide ? 40 : 36));
		const start = base + fields.u32(section + (isWide ? 48 : 40));
		const flags = fields.u32(section + (isWide ? 64 : 56));
		const place = {
			start,
			end: start + size
		};
		if (name === "__ustring") add(place, table, "value", isLittle ? "utf-16le" : "utf-16be");
		else if ((flags & 255) === cstringLiterals || names.test(name)) add(place, table, names.test(name) ? "name" : "value");
	}
}
function add(place, { extents, regions, stringsIn }, role, view = "utf-8") {
	for (const extent of stringsIn(place, role, view)) extents.push(extent);
	regions.push(place);
}
// dist/src/audit/formats/protobuf.js
var entry = { 2: "name" };
var type = {
	2: "name",
	3: () => entry
};
var appPackage = {
	2: "name",
	3: () => type
};
var resourceTable = { 2: () => appPackage };
var attribute = {
	1: "name",
	2: "name",
	3: "value"
};
var namespace = {
	1: "name",
	2: "name"
};
var element = {
	1: () => namespace,
	2: "name",
	3: "name",
	4: () => attribute,
	5: () => node
};
var node = {
	1: () => element,
	2: "value"
};
/** `resources.pb` of an app bundle. */
function readProtoResources(bytes) {
	return read(bytes, resourceTable);
}
/** An XML document in the form that an app bundle holds it. */
function readProtoXml(bytes) {
	return read(bytes, node);
}
function read(bytes, schema) {
	const extents = [];
	if (!walk(bytes, 0, bytes.length, schema, extents, 0)) throw new RangeError("the message does not parse");
	return {
		extents,
		regions: []
	};
}
var deepest$1 = 100;
/** Collects the strings of a message. @returns whether the bytes are a message; nothing is collected otherwise */
function walk(bytes, from, to, schema, extents, depth) {
	if (depth > deepest$1) return false;
	const found = extents.length;
	const fail = () => {
		extents.length = found;
		return false;
	};
	for (let at = from; at < to;) {
		const tag = varint$1(bytes, at, to);
		if (tag === null || tag.value < 8) return fail();
		const field = Math.floor(tag.value / 8);
		at = tag.next;
		const wire = tag.value % 8;
		if (wire === 0) {
			const number = varint$1(bytes, at, to);
			if (number === null) return fail();
			at = number.next;
		} else if (wire === 1 || wire === 5) at += wire === 1 ? 8 : 4;
		else if (wire === 2) {
			const length = varint$1(bytes, at, to);
			if (length === null || length.next + length.value > to) return fail();
			const [start, end] = [length.next, length.next + length.value];
			collect(bytes, start, end, schema[field], extents, depth);
			at = end;
		} else return fail();
		if (at > to) return fail();
	}
	return true;
}
function collect(bytes, start, end, kind, extents, depth) {
	if (typeof kind === "function") {
		if (walk(bytes, start, end, kind(), extents, depth + 1)) return;
		throw new RangeError("a message does not parse");
	}
	if (kind === void 0 && !isString(bytes, start, end) && walk(bytes, start, end, {}, extents, depth + 1)) return;
	assertHoldable(extents.length);
	extents.push({
		start,
		end,
		view: "utf-8",
		role: kind ?? "value"
	});
}
/** A line feed is also the tag of a first field: where that field's length fits to the byte, it is a message. */
function isString(bytes, start, end) {
	const length = bytes[start] === 10 ? varint$1(bytes, start + 1, end) : null;
	return isText$1(bytes, start, end) && (length === null || length.next + length.value !== end);
}
/** No control characters but white space: a message has at least one small number in it. */
function isText$1(bytes, start, end) {
	for (let at = start; at < end; at++) {
		const byte = bytes[at] ?? 0;
		if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) return false;
	}
	return true;
}
function varint$1(bytes, from, to) {
	let value = 0;
	for (let at = from; at < Math.min(to, from + 10); at++) {
		const byte = bytes[at] ?? 0;
		value += (byte & 127) * 2 ** (7 * (at - from));
		if (byte < 128) return {
			value,
			next: at + 1
		};
	}
	return null;
}
// dist/src/audit/formats/sqlite.js
var leaves = /* @__PURE__ */ new Set([10, 13]);
var tableLeaf = 13;
/** The texts of all rows that lie on one page. */
function readSqlite(bytes) {
	const view = viewOf(bytes);
	const extents = [];
	for (const { start, length, local } of cellsOf(bytes, pagesOf(bytes))) if (local === length) addTexts(bytes, start, start + length, view, extents);
	return {
		extents,
		regions: []
	};
}
/**
* A row that is too long for its page goes on in others, wherever they are: such rows are put together and audited as
* one. All other bytes are read as they are.
*/
function auditSqlite(audit, { location, bytes }) {
	try {
		for (const row of longRows(bytes)) scan(audit, {
			location,
			format: "sqlite",
			bytes: row,
			isText: false
		});
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		audit.collector.gap("fallback", location, "read as raw bytes: its pages do not hold");
	}
}
function pagesOf(bytes) {
	const stated = bytes.readUInt16BE(16);
	const size = stated === 1 ? 65536 : stated;
	if (size < 512) throw new RangeError("a page is too small");
	return {
		size,
		usable: size - bytes.readUInt8(20)
	};
}
function* cellsOf(bytes, { size, usable }) {
	for (let page = 0; page + size <= bytes.length; page += size) {
		const header = page === 0 ? 100 : page;
		const kind = bytes.readUInt8(header);
		if (!leaves.has(kind)) continue;
		for (let cell = 0; cell < bytes.readUInt16BE(header + 3); cell++) {
			const { value: length, next } = varint(bytes, page + bytes.readUInt16BE(header + 8 + cell * 2));
			yield {
				start: kind === tableLeaf ? varint(bytes, next).next : next,
				length,
				local: localLength(length, usable, kind)
			};
		}
	}
}
function* longRows(bytes) {
	const pages = pagesOf(bytes);
	let followed = 0;
	for (const { start, length, local } of cellsOf(bytes, pages)) {
		if (local === length) continue;
		const parts = [bytes.subarray(start, start + local)];
		let next = bytes.readUInt32BE(start + local);
		for (let left = length - local; left > 0 && next > 0; left -= pages.usable - 4) {
			const from = (next - 1) * pages.size;
			followed += pages.size;
			if (followed > bytes.length) throw new RangeError("the pages of a row do not end");
			parts.push(bytes.subarray(from + 4, from + 4 + Math.min(left, pages.usable - 4)));
			next = bytes.readUInt32BE(from);
		}
		yield Buffer.concat(parts);
	}
}
function viewOf(bytes) {
	return [
		"utf-8",
		"utf-8",
		"utf-16le",
		"utf-16be"
	][bytes.readUInt32BE(56)] ?? "utf-8";
}
/** Bytes of the integers and the float that a record's types 0 to 9 stand for. */
var widths = [
	0,
	1,
	2,
	3,
	4,
	6,
	8,
	8,
	0,
	0
];
/** The texts of one record; none where its types do not add up to its length. */
function addTexts(bytes, start, end, view, extents) {
	const header = varint(bytes, start);
	const found = [];
	let at = start + header.value;
	for (let type = header.next; type < start + header.value;) {
		const { value, next } = varint(bytes, type);
		const length = value < 12 ? widths[value] ?? 0 : Math.floor((value - 12) / 2);
		if (value >= 12) found.push({
			start: at,
			end: at + length,
			view: value % 2 === 1 ? view : "utf-8",
			role: "value"
		});
		at += length;
		type = next;
		if (at > end) return;
	}
	if (at !== end) return;
	assertHoldable(extents.length + found.length);
	for (const extent of found) extents.push(extent);
}
/** How much of a row stays on its own page, by the rules of the file format. */
function localLength(payload, usable, kind) {
	const most = kind === tableLeaf ? usable - 35 : Math.floor((usable - 12) * 64 / 255) - 23;
	if (payload <= most) return payload;
	const least = Math.floor((usable - 12) * 32 / 255) - 23;
	const fitting = least + (payload - least) % (usable - 4);
	return fitting <= most ? fitting : least;
}
/** Big-endian, seven bits a byte, nine bytes at most. */
function varint(bytes, from) {
	let value = 0;
	for (let at = from;; at++) {
		const byte = bytes.readUInt8(at);
		if (at === from + 8) return {
			value: value * 256 + byte,
			next: at + 1
		};
		value = value * 128 + (byte & 127);
		if (byte < 128) return {
			value,
			next: at + 1
		};
	}
}
// dist/src/audit/formats/markup-names.js
var inMarkup = /<key>([^<]*)<\/key>|\s(?:android:)?(?:name|id)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/dg;
var inJson = /"((?:[^"\\\n]|\\.)*)"(?=\s*:)/dg;
var inStrings = /"((?:[^"\\]|\\.)*)"(?=\s*=)/dg;
/** XML and XML property lists: what is a key, a name or an id. Other text has no table. */
function readMarkup(bytes) {
	return namesBy(inMarkup, bytes);
}
/** JSON: the names of members. */
function readJson(bytes) {
	return namesBy(inJson, bytes);
}
/** Localised texts of Apple's platforms: what stands before `=`. */
function readStrings(bytes) {
	return namesBy(inStrings, bytes);
}
function namesBy(pattern, bytes) {
	const extents = [];
	for (const { indices } of bytes.toString("latin1").matchAll(pattern)) {
		const [start, end] = indices?.slice(1).find((range) => range !== void 0) ?? [0, 0];
		assertHoldable(extents.length);
		if (end > start) extents.push({
			start,
			end,
			view: "utf-8",
			role: "name"
		});
	}
	return {
		extents,
		regions: []
	};
}
// dist/src/audit/formats/text-format.js
/** What a text is, by its beginning, and by its name where that does not tell. */
function textFormat(name, beginning) {
	if (/^\.env(?:\.|$)|\.env$/i.test(name)) return { name: "env" };
	const head = beginning.slice(0, 2048).replace(/^\u00ef\u00bb\u00bf/, "").trimStart();
	if (/^<(?:!doctype html|html|head|body|script)/i.test(head) || /\.x?html?$/i.test(name)) return {
		name: "html",
		read: readMarkup
	};
	if (/^<(?:\?xml|svg|!doctype svg|!--)/i.test(head) && /<svg\b/i.test(head) && /<script\b/i.test(beginning)) return {
		name: "html",
		read: readMarkup
	};
	if (/\.strings$/i.test(name) && !/^<[?!]/.test(head)) return {
		name: "strings",
		read: readStrings
	};
	if (/<!DOCTYPE plist|<plist/.test(head)) return {
		name: "plist",
		read: readMarkup
	};
	if (/\.(?:vue|svelte)$/i.test(name)) return {
		name: "html",
		read: readMarkup
	};
	const isScript = /\.[cm]?[jt]sx?$|\.jsbundle$|\.bundle$/i.test(name);
	if (!isScript && /^<[?!a-z]/i.test(head)) return {
		name: "xml",
		read: readMarkup
	};
	if (/^(?:\)\]\}'.*\n)?[{[]/.test(head) && !isScript) return {
		name: /"(?:mappings|sections)"|"sources"\s*:/.test(head) || /\.map$/i.test(name) ? "source-map" : "json",
		read: readJson
	};
	if (isScript) return {
		name: "javascript",
		isCertain: !/\.[cm]?tsx?$/i.test(name) && !beginning.includes("@flow")
	};
	if (/\.(?:css|md|txt|csv|properties|ya?ml|toml|kts?|java|swift|dart|pro|cfg|ini|log|gradle|py|rb|sh)$/i.test(name)) return { name: "text" };
	return /(?:\bfunction\b|=>|\bvar |\bconst |\blet |__d\()/.test(beginning) ? {
		name: "javascript",
		isCertain: false
	} : { name: "text" };
}
// dist/src/audit/formats/wasm.js
var [custom, imports, exports, data] = [
	0,
	2,
	7,
	11
];
/** A larger segment is a whole memory, in which strings may be packed without an end. */
var smallSegment = 1024;
/** WebAssembly: names of imports, exports and functions are names; a small data segment is a value of its own. */
function readWasm(bytes) {
	const extents = [];
	const stringsIn = createNulReader(bytes, { isEndedByPlace: true });
	const name = (cursor) => {
		const { start, end } = cursor.vector();
		extents.push({
			start,
			end,
			view: "utf-8",
			role: "name"
		});
	};
	const file = cursorAt(bytes, 8, bytes.length);
	while (!file.isAtEnd()) {
		const id = file.byte();
		const { start, end } = file.vector();
		const section = cursorAt(bytes, start, end);
		if (id === custom) readCustom(bytes, section, end, name);
		else if (id === imports) repeat(section, () => {
			name(section);
			name(section);
			readImport(section);
		});
		else if (id === exports) repeat(section, () => {
			name(section);
			section.byte();
			section.number();
		});
		else if (id === data) repeat(section, () => readSegment(section, extents, stringsIn));
	}
	return {
		extents,
		regions: []
	};
}
function cursorAt(bytes, from, to) {
	let at = from;
	const byte = () => {
		if (at >= to) throw new RangeError("a section is cut off");
		at += 1;
		return bytes.readUInt8(at - 1);
	};
	const number = () => {
		let value = 0;
		for (let shift = 0; shift < 63; shift += 7) {
			const part = byte();
			value += (part & 127) * 2 ** shift;
			if (part < 128) return value;
		}
		throw new RangeError("a number does not end");
	};
	const vector = () => {
		const length = number();
		const start = at;
		if (start + length > to) throw new RangeError("a vector is longer than its section");
		at = start + length;
		return {
			start,
			end: at
		};
	};
	return {
		byte,
		number,
		vector,
		isAtEnd: () => at >= to,
		place: () => at
	};
}
function repeat(cursor, each) {
	for (let count = cursor.number(); count > 0; count--) each();
}
function readImport(section) {
	const kind = section.byte();
	if (kind === 0) section.number();
	else if (kind === 1) {
		section.byte();
		readLimits(section);
	} else if (kind === 2) readLimits(section);
	else if (kind === 3) {
		section.byte();
		section.byte();
	} else {
		section.byte();
		section.number();
	}
}
function readLimits(section) {
	const flags = section.byte();
	section.number();
	if ((flags & 1) !== 0) section.number();
}
/** The section `name`: maps of indices to names, in numbered parts; locals have one map for each function. */
function readCustom(bytes, section, end, name) {
	const title = section.vector();
	if (bytes.toString("latin1", title.start, title.end) !== "name") return;
	while (section.place() < end) {
		const part = section.byte();
		const { start, end: last } = section.vector();
		const names = cursorAt(bytes, start, last);
		const entry = () => {
			names.number();
			name(names);
		};
		if (part === 0) name(names);
		else if (part === 2 || part === 3) repeat(names, () => {
			names.number();
			repeat(names, entry);
		});
		else repeat(names, entry);
	}
}
function readSegment(section, extents, stringsIn) {
	const kind = section.number();
	if (kind === 2) section.number();
	if (kind !== 1) for (let opcode = section.byte(); opcode !== 11; opcode = section.byte()) passOver(section, opcode);
	const { start, end } = section.vector();
	if (end - start > smallSegment) return;
	for (const extent of stringsIn({
		start,
		end
	}, "value")) extents.push(extent);
}
/** The operand of an instruction of an offset: a constant or a global. */
function passOver(section, opcode) {
	if (opcode === 65 || opcode === 66 || opcode === 35) section.number();
}
// dist/src/audit/formats/format.js
var hermesMagic = Buffer.from("c61fbc03c103191f", "hex");
var byMagic = [
	[
		"arsc",
		[33557504],
		readArsc
	],
	[
		"binary-xml",
		[50333696],
		readAxml
	],
	[
		"mach-o",
		[
			4277009102,
			4277009103,
			3472551422,
			3489328638
		],
		readMachO
	],
	[
		"elf",
		[2135247942],
		readElf
	],
	[
		"wasm",
		[6386541],
		readWasm
	],
	["ram-bundle", [3855682555]]
];
/** How any format below begins, and UTF-16. */
var firstBytes$1 = /* @__PURE__ */ new Set([
	...byMagic.flatMap(([, magics]) => magics.map((magic) => magic >>> 24)),
	...Buffer.from("dbS\n"),
	...[
		hermesMagic[0] ?? 0,
		202,
		254,
		255
	]
]);
/** Recognises a format by content; the name decides only among texts and messages, which have no mark. */
function formatOf(name, bytes) {
	const binary = binaryFormat(name, bytes);
	if (binary !== null) return {
		...binary,
		isText: false
	};
	if (!isText(bytes)) return {
		name: isUtf16(bytes) ? textFormat(name, "").name : "binary",
		isText: false
	};
	return {
		...textFormat(name, bytes.toString("latin1", 0, 65536)),
		isText: true
	};
}
/** Whether the bytes are neither a text nor of any format that has a mark. */
function isPlainBinary(name, bytes) {
	const isMarked = firstBytes$1.has(bytes[0] ?? 0);
	return !isText(bytes) && !(isMarked && (isUtf16(bytes) || binaryFormat(name, bytes) !== null));
}
function binaryFormat(name, bytes) {
	const head = bytes.toString("latin1", 0, 16);
	const first = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
	if (/^dex\n\d{3}\0/.test(head)) return {
		name: "dex",
		read: readDex
	};
	if (bytes.subarray(0, 8).equals(hermesMagic)) return {
		name: "hermes",
		read: readHermes
	};
	if (head.startsWith("bplist0")) return {
		name: "binary-plist",
		read: readBplist
	};
	if (head.startsWith("SQLite format 3\0")) return {
		name: "sqlite",
		read: readSqlite
	};
	const known = byMagic.find(([, magics]) => magics.includes(first));
	if (known !== void 0) return {
		name: known[0],
		...known[2] === void 0 ? {} : { read: known[2] }
	};
	if (first === 3405691582 || first === 3405691583) return bytes.length > 8 && bytes.readUInt32BE(4) < 45 ? {
		name: "mach-o-fat",
		read: readMachO
	} : {
		name: "class",
		read: readClass
	};
	if (first >>> 24 !== 10) return null;
	if (/^resources\.pb$/i.test(name)) return {
		name: "proto-resources",
		read: readProtoResources
	};
	return /\.xml$/i.test(name) && !isText(bytes) ? {
		name: "proto-xml",
		read: readProtoXml
	} : null;
}
/** No zero byte in its beginning or end; UTF-16 counts as binary, whose strings end anywhere. */
function isText(bytes) {
	if (bytes.length <= 65536) return !bytes.includes(0);
	return !bytes.subarray(0, 65536).includes(0) && !bytes.subarray(-4096).includes(0);
}
function isUtf16(bytes) {
	const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
	return mark === 65279 || mark === 65534;
}
// dist/src/audit/formats/utf-16.js
/** A text in UTF-16 with a byte order mark, as UTF-8; `null` for anything else. */
function fromUtf16(bytes) {
	const isBig = bytes[0] === 254 && bytes[1] === 255;
	if (!isBig && !(bytes[0] === 255 && bytes[1] === 254)) return null;
	const even = bytes.subarray(2, bytes.length & -2);
	return Buffer.from((isBig ? Buffer.from(even).swap16() : even).toString("utf16le"));
}
// dist/src/audit/audit-file.js
/** A file that contains no other: read by its format's table where it has one, and every byte of it in any case. */
async function auditFile(audit, { location, name, bytes }) {
	const format = formatOf(name, bytes);
	if (format.name.startsWith("mach-o") && isFairPlayEncrypted(bytes)) audit.collector.gap("fairplay", location, "the code is FairPlay-encrypted");
	if (format.name === "env") exposed(audit, location, format.name, "an environment file");
	if (format.name === "source-map" && await isSourceMap(audit, location, bytes)) exposed(audit, location, format.name, "a source map");
	const own = format.name === "source-map" ? exceptKnown(audit) : audit;
	const table = () => tableOf(audit, location, format, bytes);
	const text = format.isText ? null : fromUtf16(bytes);
	if (text !== null) {
		scan(audit, {
			location,
			format: format.name,
			bytes: text,
			isText: true
		});
		await auditScriptsOf(audit, location, format, text);
	}
	if (!scan(text === null ? own : exceptKnown(audit), {
		location,
		format: format.name,
		bytes,
		isText: format.isText,
		table
	}) && isCutOff(format, bytes)) fallback(audit, location, format);
	if (format.name === "sqlite") auditSqlite(audit, {
		location,
		bytes
	});
	if (text === null) await auditScriptsOf(audit, location, format, bytes);
}
async function auditScriptsOf(audit, location, { name, isCertain = false }, bytes) {
	if (!withScripts.has(name)) return;
	const { auditScripts } = await import("./audit-embedded.js");
	await auditScripts(audit, {
		location,
		format: name,
		bytes,
		isCertain
	});
}
/** Their parsers are loaded for the first of them: most bundles of apps hold none. */
var withScripts = /* @__PURE__ */ new Set([
	"javascript",
	"html",
	"ram-bundle"
]);
async function isSourceMap(audit, location, bytes) {
	const { auditSourceMap } = await import("./audit-source-map2.js");
	return await auditSourceMap(audit, location, bytes);
}
function tableOf(audit, location, format, bytes) {
	try {
		return format.read?.(bytes);
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		fallback(audit, location, format);
		return;
	}
}
function fallback({ collector }, location, { name }) {
	collector.gap("fallback", location, `read as raw bytes: its ${name} tables do not parse`);
}
/** Where a header says how long its file is, as 32 bits in little endian. */
var lengthAt = {
	dex: 32,
	hermes: 32,
	arsc: 4,
	"binary-xml": 4
};
function isCutOff({ name }, bytes) {
	const at = lengthAt[name];
	return at !== void 0 && (at + 4 > bytes.length || bytes.readUInt32LE(at) > bytes.length);
}
// dist/src/audit/containers/budget.js
var always = 67108864;
var plausibleRatio = 100;
var entryAlways = 16777216;
var entryRatio = 300;
/** What a file of a size may become when everything in it is unpacked, so that no bomb costs more than its size is worth. */
function allow(audit, size) {
	audit.spent.allowed = Math.min(audit.limits.totalBytes, audit.spent.inflated + size + always + plausibleRatio * size);
}
/** Counts what was unpacked. `false` once a bound is passed: the caller then reports the gap and stops. */
function spend(audit, bytes) {
	audit.spent.inflated += bytes;
	return !isSpent(audit);
}
/** Counts an entry of a container that is opened. `false`, and a gap, where no more may be. */
function isOpened(audit, { location }, size) {
	audit.spent.opened += 1;
	if (spend(audit, size)) return true;
	audit.collector.gap("limit", location, "more entries or bytes than the limits allow");
	return false;
}
/** Counts a file that contains no other as read. */
function countRead({ spent }, size) {
	spent.entries += 1;
	spent.bytes += size;
}
function isSpent({ spent, limits }) {
	return spent.inflated > spent.allowed || spent.opened > limits.entries;
}
/** How many bytes one entry may become: what its compressed size makes plausible, and never over the bound. */
function entryBound({ spent }, compressed) {
	return Math.max(0, Math.min(Math.max(entryAlways, compressed * entryRatio), spent.allowed - spent.inflated));
}
/** How large an entry may be that is read into memory beside what is there already. */
function roomFor({ limits }, held) {
	return Math.max(0, Math.min(limits.wholeBytes, limits.heldBytes - held));
}
// dist/src/audit/containers/opaque.js
var magics = [
	["a 7z archive", Buffer.from("377abcaf271c", "hex")],
	["a RAR archive", Buffer.from("Rar!\x07", "latin1")],
	["lz4 compression", Buffer.from("04224d18", "hex")],
	["lz4 compression", Buffer.from("02214c18", "hex")],
	["lzip compression", Buffer.from("LZIP")],
	["lzop compression", Buffer.from("894c5a4f000d0a1a", "hex")],
	["compress (.Z)", Buffer.from("1f9d", "hex")],
	["LZFSE compression", Buffer.from("bvx2")],
	["a xar archive", Buffer.from("xar!")],
	["a cabinet", Buffer.from("MSCF\0\0\0\0")],
	["a Debian package", Buffer.from("!<arch>\ndebian-binary")],
	["an RPM package", Buffer.from("edabeedb", "hex")],
	["a SquashFS image", Buffer.from("hsqs")],
	["Pack200 compression", Buffer.from("cafed00d", "hex")],
	["a Unity bundle", Buffer.from("UnityFS\0", "latin1")],
	["a Unity bundle", Buffer.from("UnityWeb\0", "latin1")]
];
/** What a file is that nothing here can open, by its mark; `null` for any other. */
function opaqueKind(name, bytes) {
	const known = magics.find(([, magic]) => bytes.subarray(0, magic.length).equals(magic));
	if (known !== void 0) return known[0];
	if (isDiskImage(bytes)) return "a disk image";
	if (isDiscImage(bytes)) return "an ISO image";
	return isLzma(name, bytes) ? "LZMA compression" : null;
}
var firstBytes = new Set(magics.map(([, magic]) => magic[0]));
/** Whether such a file can begin with a byte, unless its mark is elsewhere. */
function startsOpaque(first) {
	return firstBytes.has(first);
}
/** An ISO image has its mark after the boot sectors. */
function isDiscImage(bytes) {
	return bytes.length > 32774 && bytes.toString("latin1", 32769, 32774) === "CD001";
}
var trailer$1 = 512;
/** A disk image has its mark at the beginning of its last block. */
function isDiskImage(bytes) {
	return bytes.length >= 4 && bytes.readUInt32BE(Math.min(bytes.length - 4, Math.max(0, bytes.length - trailer$1))) === 1802464377;
}
/** The old format has no mark: properties, the size of the dictionary, and the size of the contents. */
function isLzma(name, bytes) {
	return /\.(?:lzma|tlz)$/i.test(name) && bytes.length > 13 && (bytes[0] ?? 255) < 225;
}
/** Contents that somebody has encrypted. */
function isEncrypted(bytes) {
	const head = bytes.toString("latin1", 0, 32);
	return /^(?:Salted__|-----BEGIN PGP MESSAGE|age-encryption\.org\/)/.test(head);
}
// dist/src/audit/containers/compressed-stream.js
/** A decompressor for what is too large to be unpacked at once; `null` where there is none for these first bytes. */
function streamFor(name, head) {
	const magic = head.length < 4 ? 0 : head.readUInt32BE(0);
	if (magic >>> 8 === 2067208) return createGunzip();
	if (magic === 682962941) return createZstdDecompress();
	return /\.br$/i.test(name) ? createBrotliDecompress() : null;
}
/** What a file is that would have to be in memory whole to be unpacked, or cannot be opened at all; else `null`. */
function unstreamable(name, head) {
	if (head.toString("hex", 0, 4) === "fd377a58") return "xz compression";
	if (/^BZh[1-9]$/.test(head.toString("latin1", 0, 4))) return "bzip2 compression";
	return opaqueKind(name, head);
}
/** What the contents of a compressed file are called. */
function expandedName(name) {
	const rest = name.replace(/\.t?(?:gz|zst)$|\.br$/i, "");
	if (rest === name) return `${name}.expanded`;
	return /\.t(?:gz|zst)$/i.test(name) ? `${rest}.tar` : rest;
}
// dist/src/audit/containers/source.js
function inMemory(bytes) {
	return {
		size: bytes.length,
		whole: bytes,
		read: (start, end) => bytes.subarray(start, Math.max(start, end)),
		part: (start, end) => inMemory(bytes.subarray(start, end))
	};
}
/** A stretch of an open file. */
function inFile(file, start, end) {
	const size = end - start;
	return {
		size,
		read: (from, to) => readInto(file, Buffer.allocUnsafe(Math.max(0, Math.min(size, to) - Math.max(0, from))), start + Math.max(0, from)),
		part: (from, to) => inFile(file, start + from, start + Math.min(size, Math.max(from, to)))
	};
}
/** Fills a buffer from a place in a file. @returns what of it could be filled */
function readInto(file, bytes, position) {
	let filled = 0;
	while (filled < bytes.length) {
		const count = readSync(file, bytes, filled, bytes.length - filled, position + filled);
		if (count === 0) break;
		filled += count;
	}
	return bytes.subarray(0, filled);
}
// dist/src/audit/containers/tar.js
var block = 512;
var longest$1 = 65536;
/** `true` where the first header's checksum holds. */
function isTar(source) {
	const header = source.read(0, block);
	return header.length === block && checksumHolds(header);
}
/** Reads ustar, GNU and pax archives. */
function readTar(source) {
	const entries = [];
	const rest = [];
	let longName = null;
	let longSize = null;
	let covered = 0;
	let at = 0;
	let isWhole = true;
	while (at + block <= source.size) {
		const header = source.read(at, at + block);
		if (!checksumHolds(header)) {
			isWhole = header.every((byte) => byte === 0);
			break;
		}
		const type = header.toString("latin1", 156, 157);
		const size = longSize ?? sizeOf(header.subarray(124, 136));
		const start = at + block;
		const end = Math.min(source.size, start + size);
		if (type === "L") longName = untilZero(source.read(start, Math.min(end, start + longest$1)));
		else if (type === "x") {
			const records = source.read(start, Math.min(end, start + longest$1)).toString("latin1");
			const path = paxField(records, "path");
			if (path !== null) longName = Buffer.from(path, "latin1");
			longSize = Number(paxField(records, "size") ?? NaN) || null;
		} else {
			if (end > start) {
				entries.push({
					name: longName ?? nameOf(header),
					start,
					end
				});
				rest.push([covered, start]);
				covered = end;
			}
			longName = null;
			longSize = null;
		}
		if (start + size > source.size) {
			isWhole = false;
			break;
		}
		at = start + Math.ceil(size / block) * block;
	}
	if (covered < source.size) rest.push([covered, source.size]);
	return {
		entries,
		rest,
		isWhole
	};
}
function nameOf(header) {
	const name = untilZero(header.subarray(0, 100));
	const prefix = untilZero(header.subarray(345, 500));
	return header.toString("latin1", 257, 263) === "ustar\0" && prefix.length > 0 ? Buffer.concat([
		prefix,
		Buffer.from("/"),
		name
	]) : name;
}
function paxField(records, field) {
	const [, value] = new RegExp(`(?:^|\\n)\\d+ ${field}=([^\\n]*)\\n`).exec(records) ?? [];
	return value ?? null;
}
function sizeOf(field) {
	if (((field[0] ?? 0) & 128) !== 0) return Number(field.readBigUInt64BE(4) & 140737488355327n);
	return Number.parseInt(field.toString("latin1").replace(/[^0-7]/g, "") || "0", 8);
}
var digitsOnly = /^[\0 0-7]+$/;
function checksumHolds(header) {
	if (((header[154] ?? 1) & 223) !== 0 && ((header[155] ?? 1) & 223) !== 0) return false;
	const field = header.toString("latin1", 148, 156);
	if (!digitsOnly.test(field)) return false;
	const stated = Number.parseInt(field.replace(/[^0-7]/g, ""), 8);
	if (!Number.isFinite(stated)) return false;
	let sum = 256;
	for (let index = 0; index < block; index++) if (index < 148 || index >= 156) sum += header[index] ?? 0;
	return sum === stated;
}
function untilZero(bytes) {
	const end = bytes.indexOf(0);
	return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end));
}
// dist/src/audit/audit-windows.js
/** More than the surroundings that any reading of a hit takes into account. */
var before = 8192;
var after = 32768;
var pieceBytes$1 = 1048576;
/** Scans bytes that come in pieces, in windows that overlap: every place is reported by one of them, with all around it. */
function createWindows(audit, { location, name = "", format: given }, start = 0) {
	const window = Buffer.allocUnsafe(4235264);
	let format = given === void 0 ? void 0 : {
		name: given,
		isText: false
	};
	let base = start;
	let filled = 0;
	let coreStart = 0;
	const flush = (isLast) => {
		const bytes = window.subarray(0, filled);
		format ??= formatInWindows(audit, location, name, bytes);
		const coreEnd = isLast ? filled : filled - after;
		const place = {
			location,
			format: format.name,
			isText: format.isText
		};
		scan(audit, {
			...place,
			bytes,
			base,
			core: {
				start: coreStart,
				end: coreEnd
			}
		});
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
				if (filled === window.length) flush(false);
			}
		},
		end: () => flush(true)
	};
}
/** Formats of text that have more to be read than their bytes, and take several times their size to do so. */
var readWhole = /* @__PURE__ */ new Set([
	"javascript",
	"html",
	"source-map"
]);
var largestParsed = 50331648;
/** Whether a file is read in windows although it could be held in memory. */
function isForWindows(name, source) {
	return source.size > largestParsed && readWhole.has(formatOf(name, source.read(0, 65536)).name);
}
function formatInWindows(audit, location, name, head) {
	const format = formatOf(name, head);
	if (isContainer(name, head)) audit.collector.gap("limit", location, "a container too large to be opened here: read as raw bytes");
	else if (format.read !== void 0 || readWhole.has(format.name)) audit.collector.gap("limit", location, "too large to be read by its format: read as raw bytes");
	return format;
}
function isContainer(name, head) {
	return head.toString("latin1", 0, 4) === "PK" || isTar(inMemory(head)) || streamFor(name, head) !== null;
}
/** Scans a stretch of a source without reading all of it into memory. */
function auditWindows(audit, place, source, start, end) {
	const windows = createWindows(audit, place, start);
	for (const piece of pieces(source, start, end)) windows.push(piece);
	windows.end();
}
/** What of a container no entry accounts for. */
function auditRest(audit, place, source, start, end) {
	if (source.whole === void 0 && end - start > pieceBytes$1) auditWindows(audit, place, source, start, end);
	else scan(audit, {
		...place,
		bytes: source.read(start, end),
		isText: false,
		base: start
	});
}
function* pieces(source, start, end) {
	for (let at = start; at < end; at += pieceBytes$1) yield source.read(at, Math.min(end, at + pieceBytes$1));
}
/** Scans what comes out of a decompressor, up to a bound. `crc` is what its checksum has to be, where that is known. */
async function auditStream(audit, { location, name, source }, decompress, bound, crc = null) {
	const windows = createWindows(audit, {
		location,
		name
	});
	let total = 0;
	let sum = 0;
	const input = Readable.from(pieces(source, 0, source.size));
	input.pipe(decompress);
	try {
		for await (const piece of decompress) {
			total += piece.length;
			if (crc !== null) sum = crc32(piece, sum);
			windows.push(piece);
			if (total <= bound && spend(audit, piece.length)) continue;
			audit.collector.gap("limit", location, "over the size limit");
			break;
		}
		if (crc !== null && total <= bound && sum !== crc) audit.collector.gap("corrupt", location, "the checksum does not match");
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		audit.collector.gap("corrupt", location, "the compressed data is corrupt or cut off");
	} finally {
		input.destroy();
		decompress.destroy();
	}
	windows.end();
	audit.spent.entries += 1;
	audit.spent.bytes += total;
}
// dist/src/audit/containers/zip-inflate.js
var readable = [
	0,
	8,
	93
];
var overLimit = {
	bytes: null,
	problem: {
		kind: "limit",
		reason: "over the size limit"
	}
};
/**
* The contents of an entry, at most `bound` bytes. Android installs archives whose headers lie about method and
* encryption: what does not read as stated is tried as stored and as deflated, and the checksum decides.
*/
function inflateEntry(data, entry, bound) {
	if ((entry.size ?? 0) > bound) return overLimit;
	const isUnusual = entry.isEncrypted || !readable.includes(entry.method);
	const readings = isUnusual ? [.../* @__PURE__ */ new Set([
		entry.method,
		8,
		0
	])] : [entry.method];
	let problem = {
		kind: "corrupt",
		reason: "the compressed data is corrupt"
	};
	for (const method of readings.filter((known) => readable.includes(known))) {
		const read = decompressed(data, method, entry.size, bound);
		if ("problem" in read) {
			problem = read.problem;
			continue;
		}
		if (read.isCut === true && entry.crc === null) return {
			bytes: read.bytes,
			problem
		};
		const checked = withChecksum(read, entry);
		if (checked.problem === void 0 && (entry.crc !== null || method !== 0) || !isUnusual) return checked;
	}
	if (entry.isEncrypted) return {
		bytes: null,
		problem: {
			kind: "encrypted",
			reason: "encrypted entry"
		}
	};
	if (isUnusual) return {
		bytes: null,
		problem: {
			kind: "unsupported",
			reason: `unsupported compression method ${entry.method}`
		}
	};
	return {
		bytes: null,
		problem
	};
}
/** The same on another thread, for an entry that is deflated and large; `null` where it has to be looked at closer. */
function inflateAside(data, entry, size) {
	return new Promise((resolve) => {
		inflateRaw(data, {
			...options(data, size, size),
			info: true
		}, (error, result) => {
			const checked = error === null ? withChecksum(readFrom(result), entry) : null;
			resolve(checked?.problem === void 0 ? checked : null);
		});
	});
}
function canInflateAside({ method, isEncrypted, size, crc }) {
	return method === 8 && !isEncrypted && size !== null && crc !== null;
}
function withChecksum(read, { crc, size }) {
	const { bytes } = read;
	if (crc !== null && crc32(bytes) !== crc) return {
		...read,
		problem: {
			kind: "corrupt",
			reason: "the checksum does not match"
		}
	};
	if (size !== null && size !== bytes.length) return {
		...read,
		problem: {
			kind: "disagreement",
			reason: "the header gives another size"
		}
	};
	return read;
}
/** With `info`, zlib gives more than its types say. */
function readFrom(result) {
	const { buffer, engine } = result;
	return {
		bytes: buffer,
		consumed: engine.bytesWritten
	};
}
/** One more byte than is expected, so that the end of the data is seen without a second buffer. */
function options(data, bound, size) {
	const plausible = Math.min(size ?? data.length * 4, Math.max(65536, data.length * 40));
	return {
		maxOutputLength: Math.max(1, bound),
		chunkSize: Math.max(64, Math.min(bound, plausible) + 1)
	};
}
function decompressed(data, method, size, bound) {
	if (method === 0) return { bytes: data };
	try {
		return readFrom((method === 93 ? zstdDecompressSync : inflateRawSync)(data, {
			...options(data, bound, size),
			info: true
		}));
	} catch (error) {
		if (error.code === "ERR_BUFFER_TOO_LARGE") return { problem: {
			kind: "limit",
			reason: "over the size limit"
		} };
		return partial(data, method, bound);
	}
}
/** What can be read before the place where the data breaks off. */
function partial(data, method, bound) {
	const corrupt = { problem: {
		kind: "corrupt",
		reason: "the compressed data is corrupt"
	} };
	if (method !== 8) return corrupt;
	try {
		const bytes = inflateRawSync(data, {
			maxOutputLength: Math.max(1, bound),
			finishFlush: 2
		});
		return bytes.length === 0 ? corrupt : {
			bytes,
			isCut: true
		};
	} catch {
		return corrupt;
	}
}
// dist/src/audit/containers/zip-pool.js
var mostAhead = 33554432;
/** Below, on a busy machine, waiting for another thread costs more than inflating. */
var worthAThread = 131072;
var plausible = (compressed) => Math.max(16777216, compressed * 300);
/** Entries that are inflated on other threads, while the rest is read. */
function isForPool(entry, room) {
	const { size, dataStart, dataEnd } = entry;
	if (size === null || size < worthAThread || size > Math.min(room, mostAhead)) return false;
	return canInflateAside(entry) && size <= plausible(dataEnd - dataStart);
}
function createPool(source, entries, ahead) {
	const done = [];
	let started = 0;
	let running = 0;
	let wake = () => {};
	const start = () => {
		for (let entry = entries[started]; entry !== void 0; entry = entries[started]) {
			const size = entry.size ?? 0;
			if (ahead.bytes + size > mostAhead) return;
			ahead.bytes += size;
			started += 1;
			running += 1;
			const one = entry;
			inflateAside(source.read(one.dataStart, one.dataEnd), one, size).then((read) => {
				running -= 1;
				done.push([one, read]);
				wake();
			});
		}
	};
	const take = () => {
		const one = done.shift();
		if (one === void 0) return null;
		ahead.bytes -= one[0].size ?? 0;
		start();
		return one;
	};
	start();
	return {
		isIdle: () => running === 0 && done.length === 0,
		*finished() {
			for (let one = take(); one !== null; one = take()) yield one;
		},
		async next() {
			if (done.length === 0 && running > 0) await new Promise((resolve) => {
				wake = resolve;
			});
			const one = take();
			const entry = one === null ? entries[started] : void 0;
			if (entry === void 0) return one;
			started += 1;
			return [entry, null];
		}
	};
}
// dist/src/audit/containers/openable.js
var directoryEnd = Buffer.from("PK");
/** How what can be opened begins, apart from zip: gzip, zlib, zstd, xz, bzip2, asar, assemblies, and what is encrypted. */
var beginnings = /* @__PURE__ */ new Set([
	31,
	120,
	40,
	253,
	66,
	4,
	88,
	83,
	45,
	97
]);
/**
* Whether any of the readers of containers and compressed files may want these bytes; a look that costs next to nothing
* and is right wherever it says no.
*/
function mayBeOpened(name, bytes) {
	const first = bytes[0] ?? 0;
	if (beginnings.has(first) || startsOpaque(first) || first === 80 && bytes[1] === 75) return true;
	if (/\.(?:br|lzma|tlz)$/i.test(name) || mayBeTar(bytes)) return true;
	return bytes.includes(directoryEnd) || isDiskImage(bytes) || isDiscImage(bytes);
}
/** The first checksum of a tar archive is written in octal digits. */
function mayBeTar(bytes) {
	for (let at = 148; at < 156; at++) {
		const byte = bytes[at] ?? 1;
		if (byte !== 0 && byte !== 32 && (byte < 48 || byte > 55)) return false;
	}
	return true;
}
// dist/src/audit/plain.js
/**
* Whether nothing is left to be looked at after one search of the bytes: no place was found, no table of a format tells
* more than the bytes do, and they contain nothing that would have to be opened. Most files of an app are of this kind.
*/
function isPlain(audit, name, bytes) {
	if (bytes.length === 0 || bytes.length > largest$1) return false;
	if (!isPlainBinary(name, bytes) || mayBeOpened(name, bytes)) return false;
	let isFound = false;
	const found = () => {
		isFound = true;
	};
	const hits = {
		needle: found,
		xored: found,
		escape: found
	};
	audit.searcher.search(bytes, hits);
	return !isFound;
}
/** Larger ones are few, and searching them twice would cost more than is saved. */
var largest$1 = 4194304;
// dist/src/audit/audit-zip.js
/** Audits every entry of an archive and all bytes between them. */
async function auditZip(audit, item, zip, auditEntry) {
	const { location, source } = item;
	for (const { kind, reason } of zip.problems) audit.collector.gap(kind, location, reason);
	for (const [start, end] of suspects(audit, source, zip.rest)) auditRest(audit, {
		location,
		format: "zip"
	}, source, start, end);
	const take = async (entry, aside) => {
		if (entry.disagreement !== void 0) audit.collector.gap("disagreement", inside(location, entry.name), entry.disagreement);
		if (entry.dataStart === entry.dataEnd && (entry.size ?? 0) === 0) return true;
		return await auditZipEntry(audit, item, entry, aside, isRepeated(entry), auditEntry);
	};
	const isRepeated = repeatedIn(zip.entries, item.depth);
	const room = roomFor(audit, item.held);
	const pool = createPool(source, zip.entries.filter((entry) => isForPool(entry, room)), audit.ahead);
	const small = zip.entries.filter((entry) => !isForPool(entry, room));
	for (const [index, entry] of small.entries()) {
		if (!await take(entry, null)) return;
		if (index % 32 !== 31 || pool.isIdle()) continue;
		await new Promise((resolve) => setImmediate(resolve));
		for (const [done, read] of pool.finished()) if (!await take(done, read)) return;
	}
	for (let next = await pool.next(); next !== null; next = await pool.next()) if (!await take(...next)) return;
}
/**
* Those of the stretches between entries in which anything is found. There is one before each entry: it costs less to
* search the archive as a whole than each of them.
*/
function suspects(audit, { whole }, rest) {
	if (whole === void 0 || rest.length < 8) return rest;
	const found = /* @__PURE__ */ new Set();
	const find = (offset) => {
		let low = 0;
		for (let high = rest.length; low < high;) {
			const middle = low + high >>> 1;
			if ((rest[middle]?.[0] ?? 0) <= offset) low = middle + 1;
			else high = middle;
		}
		const stretch = rest[low - 1];
		if (stretch !== void 0 && offset < stretch[1]) found.add(stretch);
	};
	audit.searcher.search(whole, {
		needle: find,
		xored: find,
		escape: () => {}
	});
	return [...found];
}
var worthRemembering = 4096;
/** Which entries may be in more than one place: in a nested archive, any. Telling that takes a hash of the bytes. */
function repeatedIn(entries, depth) {
	const isLarge = ({ size }) => (size ?? 0) >= worthRemembering;
	if (depth > 0) return isLarge;
	const keyOf = ({ crc, size, name }) => `${crc} ${size} ${lastPart(name)}`;
	const counts = /* @__PURE__ */ new Map();
	for (const entry of entries) if (isLarge(entry)) counts.set(keyOf(entry), (counts.get(keyOf(entry)) ?? 0) + 1);
	return (entry) => isLarge(entry) && (counts.get(keyOf(entry)) ?? 0) > 1;
}
async function auditZipEntry(audit, item, entry, aside, isRepeated, auditEntry) {
	const { source } = item;
	if (isSpent(audit)) {
		audit.collector.gap("limit", item.location, "more entries or bytes than the limits allow");
		return false;
	}
	const whole = aside ?? readAtOnce(audit, item, entry);
	if (!isRepeated && isPlainEntry(audit, item, entry, whole)) {
		const size = entry.size ?? 0;
		if (!isOpened(audit, item, size)) return false;
		countRead(audit, size);
		audit.progress(item.location, size);
		return true;
	}
	const location = inside(item.location, entry.name);
	const compressed = entry.dataEnd - entry.dataStart;
	const bound = entryBound(audit, compressed);
	const room = Math.min(bound, roomFor(audit, item.held));
	const part = source.part(entry.dataStart, entry.dataEnd);
	if (!entry.isEncrypted && entry.method === 0 && source.whole === void 0 && compressed > room) return await auditEntry(audit, item, entry.name, part);
	const size = entry.size ?? 0;
	if (!entry.isEncrypted && entry.method === 8 && size > room && size <= bound) {
		await auditStream(audit, {
			...item,
			location,
			name: entry.name.toString("utf8"),
			source: part
		}, createInflateRaw(), bound, entry.crc);
		return true;
	}
	const read = whole ?? inflateEntry(part.read(0, part.size), entry, room);
	if (read.problem !== void 0) audit.collector.gap(read.problem.kind, location, read.problem.reason);
	if (read.bytes !== null && read.consumed !== void 0 && read.consumed < part.size) auditRest(audit, {
		location,
		format: "zip"
	}, part, read.consumed, part.size);
	const { bytes } = read;
	if (bytes !== null) {
		const audited = () => auditEntry(audit, item, entry.name, inMemory(bytes));
		const name = lastPart(entry.name);
		return isRepeated && read.problem === void 0 ? await audit.repeats.once(audit, {
			location,
			name,
			bytes
		}, audited) : await audited();
	}
	auditRest(audit, {
		location,
		format: "binary"
	}, part, 0, part.size);
	return true;
}
/** What an entry holds where that is exactly what its header says; `null` where it has to be looked at closer. */
function readAtOnce(audit, { source, held, depth }, entry) {
	const { size, crc, method, isEncrypted, dataStart, dataEnd } = entry;
	if ((size ?? 0) > Math.min(entryBound(audit, dataEnd - dataStart), roomFor(audit, held))) return null;
	const isStored = method === 0 && !isEncrypted && source.whole !== void 0 && size === dataEnd - dataStart;
	const bytes = isStored ? source.read(dataStart, dataEnd) : audit.inflater.inflate(source, entry, depth);
	return bytes === null || isStored && crc32(bytes) !== crc ? null : { bytes };
}
function isPlainEntry(audit, { depth }, { name, disagreement }, read) {
	if (read === null || read.bytes === null || read.problem !== void 0 || read.consumed !== void 0) return false;
	return disagreement === void 0 && depth < audit.limits.depth && isPlain(audit, lastPart(name), read.bytes);
}
// dist/src/audit/containers/asar.js
var largestHeader = 33554432;
var deepest = 200;
/** `null` where the bytes are no asar archive. Unpacked files stand beside the archive and are not in it. */
function readAsar(source) {
	const head = source.read(0, 17);
	if (head.length < 17 || head.readUInt32LE(0) !== 4 || head[16] !== 123) return null;
	const headerSize = head.readUInt32LE(4);
	const jsonLength = head.readUInt32LE(12);
	if (jsonLength > headerSize || 16 + jsonLength > source.size || jsonLength > largestHeader) return null;
	let tree;
	try {
		tree = JSON.parse(source.read(16, 16 + jsonLength).toString("utf8"));
	} catch {
		return {
			entries: [],
			rest: [[0, source.size]],
			isWhole: false
		};
	}
	const headerEnd = 8 + headerSize;
	const { entries, isWhole } = listed$1(tree, headerEnd, source.size);
	return {
		entries,
		rest: uncovered$1(entries, source.size),
		isWhole
	};
}
function listed$1(tree, headerEnd, size) {
	const entries = [];
	let isWhole = true;
	const pending = [[
		"",
		tree,
		0
	]];
	for (let next = pending.pop(); next !== void 0; next = pending.pop()) {
		const [path, node, depth] = next;
		if (!isRecord(node)) continue;
		if (depth > deepest) {
			isWhole = false;
			continue;
		}
		const { files, offset, size: length, unpacked } = node;
		if (isRecord(files)) for (const [name, child] of Object.entries(files)) pending.push([
			path === "" ? name : `${path}/${name}`,
			child,
			depth + 1
		]);
		else if (typeof offset === "string" && typeof length === "number" && unpacked !== true) {
			const start = headerEnd + Number(offset);
			const isInside = Number.isSafeInteger(start) && start >= headerEnd && start <= size && length >= 0;
			isWhole &&= isInside && start + length <= size;
			if (isInside) entries.push({
				name: path,
				start,
				end: Math.min(size, start + Math.floor(length))
			});
		}
	}
	return {
		entries: entries.reverse(),
		isWhole
	};
}
function uncovered$1(entries, size) {
	const rest = [];
	let at = 0;
	for (const { start, end } of [...entries].sort((a, b) => a.start - b.start)) {
		if (start > at) rest.push([at, start]);
		at = Math.max(at, end);
	}
	if (at < size) rest.push([at, size]);
	return rest;
}
// dist/src/audit/containers/bzip2.js
/** Loaded for the first such file: most audits see none. */
var load = createRequire(import.meta.url);
var OverBound = class extends Error {};
/** The contents of a bzip2 file, at most `bound` bytes; of a file that is cut off, what came before. */
function expandBzip2(bytes, bound) {
	let out = Buffer.allocUnsafe(Math.min(bound, bytes.length * 8));
	let size = 0;
	const writeByte = (byte) => {
		if (size === bound) throw new OverBound();
		if (size === out.length) {
			const larger = Buffer.allocUnsafe(Math.min(bound, Math.max(4096, size * 2)));
			out.copy(larger);
			out = larger;
		}
		out[size] = byte;
		size += 1;
	};
	try {
		load("seek-bzip").decode(bytes, { writeByte }, true);
		return {
			bytes: out.subarray(0, size),
			end: "whole"
		};
	} catch (error) {
		if (error instanceof OverBound) return {
			bytes: null,
			end: "limit"
		};
		return {
			bytes: size > 0 ? out.subarray(0, size) : null,
			end: "corrupt"
		};
	}
}
// dist/src/audit/containers/gzip.js
var magic = 2067208;
var trailer = 8;
/**
* Reads member after member and stops at what is none, where zlib would refuse the whole. `null` where not even the
* first can be read. @throws what zlib throws where the contents are over the bound
*/
function readMembers(file, bound) {
	const parts = [];
	let consumed = 0;
	let total = 0;
	while (consumed + 18 <= file.length && file.readUInt32BE(consumed) >>> 8 === magic) {
		const start = headerEnd(file, consumed);
		const read = start === null ? null : inflated(file.subarray(start), bound - total);
		if (read === null || start === null) break;
		parts.push(read.buffer);
		total += read.buffer.length;
		consumed = Math.min(file.length, start + read.engine.bytesWritten + trailer);
	}
	return parts.length === 0 ? null : {
		bytes: Buffer.concat(parts),
		consumed
	};
}
function inflated(data, bound) {
	try {
		return inflateRawSync(data, {
			info: true,
			maxOutputLength: Math.max(1, bound)
		});
	} catch (error) {
		if (error.code === "ERR_BUFFER_TOO_LARGE") throw error;
		return null;
	}
}
/** Behind the optional fields: extra, name, comment, checksum. */
function headerEnd(file, at) {
	const flags = file[at + 3] ?? 0;
	let end = at + 10;
	if ((flags & 4) !== 0) end += end + 2 <= file.length ? 2 + file.readUInt16LE(end) : 2;
	for (const flag of [8, 16]) {
		if ((flags & flag) === 0) continue;
		const zero = file.indexOf(0, end);
		if (zero === -1) return null;
		end = zero + 1;
	}
	if ((flags & 2) !== 0) end += 2;
	return end < file.length ? end : null;
}
// dist/src/audit/containers/compressed.js
/** How the first block of a bzip2 file begins: with data, or with its end. */
var bzipBlocks = /* @__PURE__ */ new Set(["314159265359", "177245385090"]);
/** `null` where the bytes are no compressed file. Brotli has no mark of its own: only a `.br` is tried. */
function expand(name, bytes, bound) {
	const magic = bytes.length < 4 ? 0 : bytes.readUInt32BE(0);
	if (magic >>> 8 === 2067208) return expandedBy(gunzipSync, stripped(name, /\.t?gz$/i, "gz"), bytes, bound);
	if (magic === 682962941) return expandedBy(zstdDecompressSync, stripped(name, /\.t?zst$/i, "zst"), bytes, bound);
	if (/\.br$/i.test(name) && bytes.length > 0) return expandedBy(brotliDecompressSync, stripped(name, /\.br$/i, "br"), bytes, bound);
	if (magic === 4248271448) return described(stripped(name, /\.t?xz$/i, "xz"), expandXz(bytes, bound));
	if (/^BZh[1-9]$/.test(bytes.toString("latin1", 0, 4)) && bzipBlocks.has(bytes.toString("hex", 4, 10))) return described(stripped(name, /\.t?bz2?$/i, "bz2"), expandBzip2(bytes, bound));
	const deflated = isZlib(bytes) ? expandedBy(inflateSync, `${name}.expanded`, bytes, bound) : null;
	if (deflated !== null && deflated.problem?.kind !== "corrupt") return deflated;
	if (isEncrypted(bytes)) return {
		name,
		bytes: null,
		problem: {
			kind: "encrypted",
			reason: "encrypted file"
		}
	};
	const opaque = opaqueKind(name, bytes);
	return opaque === null ? null : {
		name,
		bytes: null,
		problem: {
			kind: "unsupported",
			reason: `${opaque} cannot be opened`
		}
	};
}
/** The head of a zlib stream: deflate, in a window of 32 KB, without a dictionary. */
function isZlib(bytes) {
	return bytes.length > 8 && bytes[0] === 120 && bytes.readUInt16BE(0) % 31 === 0 && ((bytes[1] ?? 0) & 32) === 0;
}
function described(name, { bytes, end }) {
	if (end === "whole") return {
		name,
		bytes
	};
	return {
		name,
		bytes,
		problem: {
			kind: end,
			reason: end === "limit" ? "over the size limit" : "the compressed data is corrupt or cut off"
		}
	};
}
function stripped(name, suffix, other) {
	if (!suffix.test(name)) return name.endsWith(`.${other}`) ? name : `${name}.expanded`;
	const rest = name.replace(suffix, "");
	return /\.(?:tgz|tzst|txz|tbz2?)$/i.test(name) ? `${rest}.tar` : rest;
}
function expandedBy(decompress, name, bytes, bound) {
	const maxOutputLength = Math.max(1, bound);
	try {
		const { buffer, engine } = decompress(bytes, {
			maxOutputLength,
			info: true
		});
		return {
			name,
			bytes: buffer,
			consumed: engine.bytesWritten
		};
	} catch (error) {
		if (error.code === "ERR_BUFFER_TOO_LARGE") return {
			name,
			bytes: null,
			problem: {
				kind: "limit",
				reason: "over the size limit"
			}
		};
		const part = (decompress === gunzipSync ? readMembers(bytes, maxOutputLength) : null) ?? { bytes: partOf(decompress, bytes, maxOutputLength) };
		const problem = {
			kind: "corrupt",
			reason: "the compressed data is corrupt or cut off"
		};
		return {
			name,
			...part,
			problem
		};
	}
}
/** What can be read before the place where a stream is cut off. */
function partOf(decompress, bytes, maxOutputLength) {
	try {
		return decompress(bytes, {
			maxOutputLength,
			finishFlush: decompress === gunzipSync ? 2 : 1
		});
	} catch {
		return null;
	}
}
// dist/src/audit/containers/lz4.js
/**
* Decompresses one LZ4 block that comes to so many bytes; `null` where it does not. A block does not say where it ends:
* it ends when there is enough.
*/
function expandLz4(block, size) {
	const out = Buffer.allocUnsafe(size);
	let at = 0;
	let filled = 0;
	const lengthFrom = (nibble) => {
		let length = nibble;
		for (let more = nibble === 15 ? 255 : 0; more === 255; length += more) more = block[at++] ?? 0;
		return length;
	};
	while (filled < size) {
		const token = block[at++];
		if (token === void 0) return null;
		const literals = lengthFrom(token >>> 4);
		if (at + literals > block.length || filled + literals > size) return null;
		out.set(block.subarray(at, at + literals), filled);
		at += literals;
		filled += literals;
		if (filled === size) break;
		const distance = (block[at] ?? 0) | (block[at + 1] ?? 0) << 8;
		at += 2;
		const length = lengthFrom(token & 15) + 4;
		if (distance === 0 || distance > filled || filled + length > size) return null;
		for (let end = filled + length; filled < end; filled++) out[filled] = out[filled - distance] ?? 0;
	}
	return out;
}
// dist/src/audit/containers/xamarin.js
var mark = Buffer.from("XALZ");
var headBytes = 12;
/**
* Compressed assemblies: a file of one, a store of many, or a store inside a library. Each begins with a mark, its
* number, and its size. `bound` is how large one may become.
*/
function* readAssemblies(name, bytes, bound) {
	const head = bytes.toString("latin1", 0, 4);
	const isStore = head === "XABA" || head === "ELF" && /assembl/i.test(name);
	if (head !== "XALZ" && !isStore) return;
	for (let at = bytes.indexOf(mark); at !== -1; at = isStore ? bytes.indexOf(mark, at + headBytes) : -1) {
		if (at + headBytes > bytes.length) return;
		const [index, size] = [bytes.readUInt32LE(at + 4), bytes.readUInt32LE(at + 8)];
		const expanded = size > bound ? null : expandLz4(bytes.subarray(at + headBytes), size);
		yield {
			name: isStore ? `assembly ${index}` : name,
			bytes: expanded
		};
	}
}
// dist/src/audit/containers/zip-directory.js
var endSignature = Buffer.from("PK");
var wideEndSignature = Buffer.from("PK");
var centralSignature$1 = 33639248;
/** How far from its end a file is searched that is not in memory. */
var tailBytes = 4194304;
var tries = 64;
/** `null` where no record at the end points at a directory. */
function findDirectory(source) {
	const base = source.whole === void 0 ? Math.max(0, source.size - tailBytes) : 0;
	const tail = source.whole ?? source.read(base, source.size);
	let at = tail.lastIndexOf(endSignature);
	for (let tried = 0; at !== -1 && tried < tries; tried++) {
		if (at + 22 <= tail.length) {
			const found = wideDirectory(source, tail, at, base) ?? directoryAt(source, tail, at, base);
			if (found !== null) return found;
		}
		at = at === 0 ? -1 : tail.lastIndexOf(endSignature, at - 1);
	}
	return null;
}
function directoryAt(source, tail, at, base) {
	const count = tail.readUInt16LE(at + 10);
	return placed(source, base + at, tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16), count);
}
function placed(source, end, size, offset, count) {
	const isDirectory = (start) => {
		const head = start < 0 ? null : source.read(start, start + 4);
		return head?.length === 4 && head.readUInt32LE(0) === centralSignature$1;
	};
	if (count === 0 && size === 0) return end > 0 ? null : {
		start: end,
		end,
		delta: Math.max(0, end - offset),
		count
	};
	const before = end - size;
	if (isDirectory(before)) return {
		start: before,
		end,
		delta: before - offset,
		count
	};
	return isDirectory(offset) ? {
		start: offset,
		end,
		delta: 0,
		count
	} : null;
}
function wideDirectory(source, tail, end, base) {
	const locator = end - 20;
	if (locator < 0 || tail.readUInt32LE(locator) !== 117853008) return null;
	const stated = Number(tail.readBigUInt64LE(locator + 8)) - base;
	for (const at of [stated, tail.lastIndexOf(wideEndSignature, locator)]) {
		if (at < 0 || at + 56 > locator || tail.readUInt32LE(at) !== 101075792) continue;
		const [count, size, offset] = [
			32,
			40,
			48
		].map((field) => Number(tail.readBigUInt64LE(at + field)));
		return placed(source, base + at, size ?? 0, offset ?? 0, count ?? 0);
	}
	return null;
}
// dist/src/audit/containers/zip-entry.js
var unknown32 = 4294967295;
var localHeader = 30;
/** Reads the record at an index of the directory, and the local header that it points at. */
function readCentralEntry(source, directory, at, delta) {
	const flags = directory.readUInt16LE(at + 8);
	const method = directory.readUInt16LE(at + 10);
	const crc = directory.readUInt32LE(at + 16);
	const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
	const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
	const next = extraEnd + directory.readUInt16LE(at + 32);
	const name = directory.subarray(at + 46, nameEnd);
	const narrow = [
		at + 24,
		at + 20,
		at + 42
	].map((field) => directory.readUInt32LE(field));
	const [size = 0, compressed = 0, offset = 0] = narrow.includes(unknown32) ? wideFields(directory.subarray(nameEnd, extraEnd), narrow) : narrow;
	const headerStart = offset + delta;
	const local = headerStart < 0 ? null : localHeaderAt(source, headerStart);
	if (local === null) return {
		entries: [],
		next,
		problem: {
			...corrupt("an entry’s header is missing", name),
			isMissing: true
		}
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
		dataEnd
	};
	const disagreement = disagreementOf(local, entry, compressed);
	const truncated = wanted > source.size ? { problem: corrupt("an entry is truncated", name) } : {};
	if (disagreement === null) return {
		entries: [entry],
		next,
		...truncated
	};
	const other = localEntryAt(source, headerStart, source.size);
	const isOther = other !== null && (other.method !== method || other.dataEnd !== dataEnd);
	return {
		entries: [{
			...entry,
			disagreement
		}, ...isOther ? [{
			...other,
			disagreement
		}] : []],
		next,
		...truncated
	};
}
function corrupt(what, name) {
	return {
		kind: "corrupt",
		reason: `${what}: ${name.toString("utf8")}`
	};
}
var localSignature$2 = 67324752;
function localHeaderAt(source, at) {
	const { whole } = source;
	let bytes = whole ?? source.read(at, at + localHeader + 256);
	const start = whole === void 0 ? 0 : at;
	if (bytes.length < start + localHeader || bytes.readUInt32LE(start) !== localSignature$2) return null;
	const nameLength = bytes.readUInt16LE(start + 26);
	const nameStart = start + localHeader;
	if (whole === void 0 && nameStart + nameLength > bytes.length) bytes = source.read(at, at + localHeader + nameLength);
	return {
		bytes,
		nameStart,
		nameEnd: Math.min(bytes.length, nameStart + nameLength),
		flags: bytes.readUInt16LE(start + 6),
		method: bytes.readUInt16LE(start + 8),
		crc: bytes.readUInt32LE(start + 14),
		compressed: bytes.readUInt32LE(start + 18),
		size: bytes.readUInt32LE(start + 22),
		dataStart: at + localHeader + nameLength + bytes.readUInt16LE(start + 28)
	};
}
var descriptorFollows = 8;
function disagreementOf(local, entry, compressed) {
	if (local.method !== entry.method) return "the two headers name different methods";
	if (entry.name.compare(local.bytes, local.nameStart, local.nameEnd) !== 0) return "the two headers give different names";
	const { compressed: stated, flags } = local;
	if ((flags & descriptorFollows) === 0 && stated !== unknown32 && stated !== compressed) return "the two headers give different sizes";
	return null;
}
/** The zip64 extra field holds, in order, those of the values that did not fit. */
function wideFields(extra, values) {
	for (let at = 0; at + 4 <= extra.length;) {
		const end = at + 4 + extra.readUInt16LE(at + 2);
		if (extra.readUInt16LE(at) === 1) {
			let field = at + 4;
			return values.map((value) => {
				if (value !== unknown32 || field + 8 > Math.min(end, extra.length)) return value;
				field += 8;
				return Number(extra.readBigUInt64LE(field - 8));
			});
		}
		at = end;
	}
	return [...values];
}
var readableMethods = [
	0,
	8,
	93
];
/** An entry by its local header alone; it reaches to `limit` where its size is not stated. */
function localEntryAt(source, at, limit) {
	const local = localHeaderAt(source, at);
	if (local === null || local.dataStart > limit || !readableMethods.includes(local.method)) return null;
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
		dataEnd: hasSize ? dataStart + compressed : limit
	};
}
// dist/src/audit/containers/zip-hidden.js
var localSignature$1 = Buffer.from("PK");
var descriptorSignature = Buffer.from("PK\x07\b");
var centralSignature = Buffer.from("PK");
/** As much of a file that is not in memory is searched at once. */
var pieceBytes = 16777216;
var mostMeasured = 33554432;
function effortFor(size) {
	return { bytes: mostMeasured + 2 * size };
}
/** Local headers that no record of the directory points at, from one offset to another. */
function* hiddenEntries(source, from, to, known, effort) {
	for (let at = nextOf(source, [localSignature$1], from, to); at !== -1;) {
		const stated = known.has(at) ? null : localEntryAt(source, at, to);
		const entry = stated === null || stated.size !== null ? stated : withEnd(source, stated, to, effort);
		if (entry !== null) yield entry;
		at = nextOf(source, [localSignature$1], entry === null ? at + 4 : Math.max(at + 4, entry.dataEnd), to);
	}
}
/** An entry whose size only follows it ends where its deflate stream does, or at the next signature. */
function withEnd(source, entry, to, effort) {
	const { dataStart, method } = entry;
	const consumed = method === 8 ? consumedBy(source.read(dataStart, Math.min(to, dataStart + pieceBytes)), effort) : null;
	if (consumed !== null) return {
		...entry,
		dataEnd: dataStart + consumed
	};
	const end = nextOf(source, [
		descriptorSignature,
		localSignature$1,
		centralSignature
	], dataStart, to);
	return {
		...entry,
		dataEnd: end === -1 ? to : end
	};
}
/** How many bytes a deflate stream takes up; `null` where it does not end, or where finding out costs too much. */
function consumedBy(data, effort) {
	const bound = Math.min(effort.bytes, 67108864);
	if (bound <= 0) return null;
	try {
		const { buffer, engine } = inflateRawSync(data, {
			info: true,
			maxOutputLength: bound
		});
		effort.bytes -= buffer.length + engine.bytesWritten;
		return engine.bytesWritten;
	} catch {
		effort.bytes -= data.length;
		return null;
	}
}
/** The next place with any of some signatures, all of which begin with `PK`; -1 without one. */
function nextOf(source, signatures, from, to) {
	for (let start = from; start < to; start += pieceBytes) {
		const piece = source.read(start, Math.min(to, start + pieceBytes + 3));
		for (let at = piece.indexOf("PK"); at !== -1; at = piece.indexOf("PK", at + 1)) {
			const word = piece.subarray(at, at + 4);
			if (signatures.some((signature) => signature.equals(word))) return start + at;
		}
	}
	return -1;
}
// dist/src/audit/containers/zip.js
var localSignature = 67324752;
var mostEntries = 4e5;
var largestDirectory = 67108864;
/** `null` where the bytes hold no archive. Leading and trailing data are allowed; nothing is decompressed. */
function readZip(source) {
	const directory = findDirectory(source);
	if (directory === null) return startsLikeZip(source) ? recovered(source) : null;
	const { entries, problems } = listed(source, directory);
	const { rest, loose, overlaps } = uncovered(entries, source.size);
	if (overlaps > 0) problems.push({
		kind: "disagreement",
		reason: `${overlaps} entries overlap`
	});
	return {
		entries: [...entries, ...hiddenIn(source, loose, entries)],
		rest,
		problems
	};
}
function startsLikeZip(source) {
	const head = source.read(0, 4);
	return head.length === 4 && head.readUInt32LE(0) === localSignature;
}
function listed(source, { start, end, delta, count }) {
	const entries = [];
	const problems = [];
	const directory = source.read(start, Math.min(end, start + largestDirectory));
	let walked = 0;
	let at = 0;
	while (at + 46 <= directory.length && directory.readUInt32LE(at) === 33639248 && walked < mostEntries) {
		const read = readCentralEntry(source, directory, at, delta);
		if (read.problem !== void 0) problems.push(read.problem);
		for (const entry of read.entries) entries.push(entry);
		walked += 1;
		at = read.next;
	}
	if (walked === mostEntries) problems.push({
		kind: "limit",
		reason: `more than ${mostEntries} entries in one archive`
	});
	else if (walked !== count && walked % 65536 !== count) problems.push({
		kind: "disagreement",
		reason: `the directory says ${count} entries and holds ${walked}`
	});
	return {
		entries,
		problems
	};
}
/** Without a directory: what the local headers say, one after the other. */
function recovered(source) {
	const problems = [{
		kind: "corrupt",
		reason: "the archive has no directory: truncated"
	}];
	const entries = hiddenIn(source, [[0, source.size]], []);
	return {
		entries,
		rest: uncovered(entries, source.size).rest,
		problems
	};
}
function hiddenIn(source, rest, entries) {
	const known = new Set(entries.map(({ headerStart }) => headerStart));
	const effort = effortFor(source.size);
	const found = [];
	for (const [from, to] of rest) for (const entry of hiddenEntries(source, from, to, known, effort)) {
		found.push(entry);
		if (found.length === mostEntries) return found;
	}
	return found;
}
/** As long as this, a header's extra field may hold an entry of its own. */
var longHeader = 512;
function uncovered(entries, length) {
	const rest = [];
	const loose = [];
	let at = 0;
	let overlaps = 0;
	const sorted = [...entries].sort((a, b) => a.dataStart - b.dataStart);
	for (const { headerStart, dataStart, dataEnd, disagreement } of sorted) {
		if (headerStart < at && dataEnd > dataStart && disagreement === void 0) overlaps += 1;
		if (dataStart > at) rest.push([at, dataStart]);
		if (headerStart > at) loose.push([at, headerStart]);
		if (dataStart - headerStart > longHeader) loose.push([headerStart + 4, dataStart]);
		at = Math.max(at, dataEnd);
	}
	if (at < length) {
		rest.push([at, length]);
		loose.push([at, length]);
	}
	return {
		rest,
		loose,
		overlaps
	};
}
// dist/src/audit/audit-bytes.js
/** The same, wherever the bytes are. A container is opened where it is; only what it holds is read into memory. */
async function auditSource(audit, item) {
	const { location, source } = item;
	if (item.depth > audit.limits.depth) {
		audit.collector.gap("limit", location, `more than ${audit.limits.depth} containers deep`);
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
	if (!await auditExpanded(audit, item)) await auditLeaf(audit, item);
}
var auditEntry = async (audit, container, name, source) => {
	if (!isOpened(audit, container, source.size)) return false;
	const isOwn = source.whole !== void 0 && source.whole.buffer !== container.source.whole?.buffer;
	await auditSource(audit, {
		location: inside(container.location, name),
		name: lastPart(name),
		source,
		depth: container.depth + 1,
		held: container.held + (isOwn ? source.size : 0)
	});
	return true;
};
function archiveOf(source) {
	if (isTar(source)) return {
		format: "tar",
		...readTar(source)
	};
	const asar = readAsar(source);
	return asar === null ? null : {
		format: "asar",
		...asar
	};
}
/** Zips inside a tar end in a directory as well: one that only has what stands in its entries is theirs, not the file's. */
function isHeldBy(archive, zip) {
	if (archive === null) return false;
	const parts = archive.entries.toSorted((a, b) => a.start - b.start);
	const entries = zip.entries.toSorted((a, b) => a.headerStart - b.headerStart);
	let part = 0;
	return entries.every(({ headerStart, dataEnd }) => {
		while ((parts[part]?.end ?? Number.POSITIVE_INFINITY) < dataEnd) part += 1;
		const holder = parts[part];
		return holder !== void 0 && holder.start <= headerStart && dataEnd <= holder.end;
	});
}
/** An archive whose entries stand in it as they are. */
async function auditParts(audit, item, { format, entries, rest, isWhole }) {
	const { location, source } = item;
	if (!isWhole) audit.collector.gap("corrupt", location, "the archive is cut off");
	for (const [start, end] of rest) auditRest(audit, {
		location,
		format
	}, source, start, end);
	for (const { name, start, end } of entries) if (!await auditEntry(audit, item, name, source.part(start, end))) return;
}
/** `false` where the bytes are no compressed file, or none that can be read. */
async function auditExpanded(audit, item) {
	const { location, name, source } = item;
	const bound = entryBound(audit, source.size);
	const room = Math.min(bound, roomFor(audit, item.held));
	const { whole } = source;
	const expanded = whole === void 0 ? null : expand(name, whole, room);
	const isTooLarge = expanded?.problem?.kind === "limit" && room < bound;
	const stream = whole === void 0 || isTooLarge ? streamFor(name, source.read(0, 16)) : null;
	if (stream !== null) {
		await auditStream(audit, {
			...item,
			location: inside(location, expandedName(name)),
			name: expandedName(name)
		}, stream, bound);
		return true;
	}
	if (whole === void 0) {
		const what = unstreamable(name, source.read(0, 65536));
		if (what !== null) audit.collector.gap("limit", location, `too large to be opened: ${what}`);
	}
	if (expanded === null || whole === void 0) return false;
	if (expanded.problem !== void 0) audit.collector.gap(expanded.problem.kind, location, expanded.problem.reason);
	if (expanded.bytes === null || expanded.bytes.length === 0 && expanded.problem !== void 0) return false;
	await auditEntry(audit, item, expanded.name, inMemory(expanded.bytes));
	const isRead = expanded.problem === void 0;
	const rest = whole.subarray(expanded.consumed ?? (isRead ? whole.length : 0));
	if (rest.length > 0) scan(exceptKnown(audit), {
		location,
		format: "compressed",
		bytes: rest,
		isText: false,
		base: whole.length - rest.length
	});
	return true;
}
/** A file that contains no other. */
async function auditLeaf(audit, item) {
	const { location, name, source, held } = item;
	countRead(audit, source.size);
	const bytes = isForWindows(name, source) || source.whole === void 0 && source.size > roomFor(audit, held) ? null : source.read(0, source.size);
	if (bytes === null) {
		auditWindows(audit, {
			location,
			name
		}, source, 0, source.size);
		return;
	}
	audit.progress(location, source.size);
	await auditFile(audit, {
		location,
		name,
		bytes
	});
	await auditAssemblies(audit, item, bytes);
}
async function auditAssemblies(audit, item, bytes) {
	const bound = Math.min(entryBound(audit, bytes.length), roomFor(audit, item.held));
	for (const assembly of readAssemblies(item.name, bytes, bound)) if (assembly.bytes === null) {
		const where = inside(item.location, assembly.name);
		audit.collector.gap("corrupt", where, "the assembly is compressed and cannot be opened");
	} else if (!await auditEntry(audit, item, assembly.name, inMemory(assembly.bytes))) return;
}
// dist/src/audit/containers/inflater.js
var largest = 524288;
function createInflater() {
	const memories = [];
	let stream = openStream();
	return { inflate(archive, { method, isEncrypted, size, crc, dataStart, dataEnd }, depth) {
		if (stream === null || method !== 8 || isEncrypted) return null;
		if (size === null || crc === null || size > largest || dataEnd <= dataStart) return null;
		if (!stream.isOpen()) stream = openStream();
		if (stream === null) return null;
		memories[depth] ??= Buffer.allocUnsafeSlow(524289);
		const memory = memories[depth];
		const packed = archive.whole ?? archive.read(dataStart, dataEnd);
		const start = archive.whole === void 0 ? 0 : dataStart;
		const length = Math.min(dataEnd - dataStart, packed.length - start);
		if (length <= 0) return null;
		stream.handle.reset();
		stream.handle.writeSync(constants.Z_FINISH, packed, start, length, memory, 0, size + 1);
		const bytes = memory.subarray(0, size);
		const [output, input] = stream.left();
		return stream.isOpen() && output === 1 && input === 0 && crc32(bytes) === crc ? bytes : null;
	} };
}
/** Where what is not documented was tried out; elsewhere every entry takes the usual way, which is slower. */
var known = /^v(?:22|24)\./;
function openStream() {
	const stream = createInflateRaw();
	stream.on("error", () => stream.destroy());
	const internal = stream;
	const { _handle: handle, _writeState: state } = internal;
	if (!known.test(process.version) || typeof handle?.writeSync !== "function") return null;
	return {
		handle,
		isOpen: () => !stream.destroyed && internal._handle === handle,
		left: () => [state?.[0] ?? 0, state?.[1] ?? 0]
	};
}
// dist/src/audit/jwt.js
var daySeconds = 86400;
/** What a token shows of the others of its mint; `null` where the text is no token. */
function modelOf(jwt) {
	const token = readToken(jwt);
	return token === null || !isJose(token) ? null : describe(token);
}
function describe({ format, header, claims }) {
	return {
		format,
		algorithm: header["alg"],
		type: header["typ"],
		issuer: claims?.["iss"],
		audience: claims?.["aud"],
		claims: claims === null ? null : Object.keys(claims)
	};
}
/** What a run observed of the mint's tokens; `null` where it saw none. */
function observedModel(observations) {
	const format = observations["mint.tokenFormat"];
	const claims = observations["mint.tokenClaims"];
	if (format !== "JWS" && format !== "JWE") return null;
	return {
		format,
		algorithm: observations["mint.tokenAlgorithm"],
		type: observations["mint.tokenType"] ?? void 0,
		issuer: observations["mint.tokenIssuer"] ?? void 0,
		audience: observations["mint.tokenAudience"] ?? void 0,
		claims: Array.isArray(claims) ? claims.map(String) : null
	};
}
/** @param like what the mint's tokens look like: what resembles one is a calling JWT, and nothing else is. */
function createJwtJudge(like, nowSeconds) {
	return { judge(jwt) {
		const token = readToken(jwt);
		if (token === null || !isJose(token)) return null;
		if (!(like.length > 0 ? like.some((model) => resembles(describe(token), model)) : speaksOfCalling(token))) return "other";
		const exp = token.claims?.["exp"];
		return typeof exp === "number" && exp < nowSeconds() ? "expired" : "calling";
	} };
}
function isJose({ header, claims, format }) {
	return typeof header["alg"] === "string" && (format === "JWE" ? typeof header["enc"] === "string" : claims !== null);
}
var registered = /* @__PURE__ */ new Set([
	"iss",
	"sub",
	"aud",
	"exp",
	"nbf",
	"iat",
	"jti"
]);
/**
* Nearly the same claims of the same issuer. A service that runs in several places has several issuers: then the header
* has to be alike too, and something has to be there that other services do not put into their tokens.
*/
function resembles(token, model) {
	if (token.format !== model.format) return false;
	const isAlike = token.algorithm === model.algorithm && token.type === model.type;
	if (token.claims === null || model.claims === null) return isAlike;
	const known = new Set(token.claims);
	const shared = model.claims.filter((name) => known.has(name));
	const share = shared.length / (/* @__PURE__ */ new Set([...token.claims, ...model.claims])).size;
	if (token.issuer === model.issuer) return share >= .7 && (isAlike || model.issuer !== void 0);
	const isOwn = shared.some((name) => !registered.has(name)) || model.audience !== void 0 && JSON.stringify(token.audience) === JSON.stringify(model.audience);
	return isAlike && share >= .85 && isOwn;
}
var topic = /(?:^|[^a-z])(?:calling|calls?|voice|video|voip|rtc|webrtc|signaling|signalling)(?:[^a-z]|$)/i;
function speaksOfCalling({ header, claims }) {
	if (claims === null) return texts(header, 0).some((text) => topic.test(spaced(text)));
	return texts(claims, 0).some((text) => topic.test(spaced(text))) || isShortLivedUserToken(claims);
}
var userClaims = /^(?:sub|uid|user|user_?id|userid|identity|peer_?id|callee|caller)$/i;
function isShortLivedUserToken(claims) {
	const { exp, iat, nbf } = claims;
	const from = typeof iat === "number" ? iat : nbf;
	if (typeof exp !== "number" || typeof from !== "number" || exp - from >= daySeconds) return false;
	return hasUser(claims, 0);
}
function hasUser(value, depth) {
	if (!isRecord(value) || depth > 4) return false;
	return Object.entries(value).some(([name, inner]) => userClaims.test(name.split(/[/:.]/).at(-1) ?? name) && (typeof inner === "string" || typeof inner === "number") || hasUser(inner, depth + 1));
}
/** Names and string values, to a small depth. */
function texts(value, depth) {
	if (typeof value === "string") return [value];
	if (depth > 4) return [];
	if (Array.isArray(value)) return value.flatMap((item) => texts(item, depth + 1));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, inner]) => [name, ...texts(inner, depth + 1)]);
}
/** `callingUserId` and `calling_user_id` alike become separate words. */
function spaced(text) {
	return text.replace(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ");
}
// dist/src/audit/progress.js
var step = 1048576;
/** Says after each megabyte what is read next, and how many bytes were read before. Locations inside containers are told. */
function createProgress(tell) {
	let read = 0;
	let told = 0;
	return (location, bytes) => {
		if (read - told >= step) {
			told = read;
			tell(location, read);
		}
		read += bytes;
	};
}
// dist/src/audit/repeats.js
var mostRemembered = 5e4;
function createRepeats() {
	const seen = /* @__PURE__ */ new Map();
	return { async once({ collector, spent }, { location, name, bytes }, read) {
		const key = `${createHash("sha256").update(bytes).digest("base64")}\0${name}`;
		const known = seen.get(key);
		if (known !== void 0) {
			spent.inflated += bytes.length;
			spent.entries += known.entries;
			spent.bytes += known.bytes;
			if (!known.isClean) collector.repeat(known.location, location);
			return true;
		}
		const { entries, bytes: before } = spent;
		const count = collector.count();
		const isDone = await read();
		if (isDone && seen.size < mostRemembered) seen.set(key, {
			location,
			isClean: collector.count() === count,
			entries: spent.entries - entries,
			bytes: spent.bytes - before
		});
		return isDone;
	} };
}
// dist/src/audit/scan/escape.js
var longest = 24;
/** Percent, `\x`, `\u`, octal and entity escapes, in any case. */
function escapeOf(prefix) {
	const codes = [...new Set(prefix)].map((char) => char.charCodeAt(0));
	const hex = codes.map((code) => code.toString(16)).join("|");
	const octal = codes.map((code) => code.toString(8)).join("|");
	const forms = [
		`%(?:${hex})`,
		`\\\\(?:x|u00|u\\{0*)(?:${hex})`,
		`\\\\(?:${octal})`,
		`&#x0*(?:${hex})`,
		`&#0*(?:${codes.join("|")})`
	];
	const pattern = new RegExp(`^(?:${forms.join("|")})`, "i");
	return (bytes, offset) => pattern.test(bytes.toString("latin1", offset, offset + longest));
}
// dist/src/audit/scan/plain-search.js
/** The search without SIMD: every needle in one pass (Wu and Manber), XOR and escapes in others. */
function createPlainSearcher(needles, prefix) {
	const literals = literalSearch(needles);
	const xored = xorSearch(prefix);
	const isEscape = escapeOf(prefix);
	return { search(bytes, hits) {
		literals(bytes, hits);
		xored(bytes, hits);
		for (let at = 0; at < bytes.length; at++) {
			const byte = bytes[at];
			if ((byte === 92 || byte === 37 || byte === 38) && isEscape(bytes, at)) hits.escape(at);
		}
	} };
}
function literalSearch(needles) {
	const window = Math.min(...needles.map(({ bytes }) => bytes.length));
	const shifts = (/* @__PURE__ */ new Uint8Array(65536)).fill(window - 1);
	const byBlock = /* @__PURE__ */ new Map();
	for (const needle of needles) {
		for (let end = 1; end < window; end++) {
			const block = blockAt(needle.bytes, end);
			shifts[block] = Math.min(shifts[block] ?? 0, window - 1 - end);
		}
		const last = blockAt(needle.bytes, window - 1);
		byBlock.set(last, [...byBlock.get(last) ?? [], needle]);
	}
	return (bytes, hits) => {
		const { length } = bytes;
		let end = window - 1;
		while (end < length) {
			const block = bytes[end - 1] << 8 | bytes[end];
			const shift = shifts[block];
			if (shift > 0) {
				end += shift;
				continue;
			}
			const start = end - window + 1;
			for (const needle of byBlock.get(block) ?? []) if (startsAt(bytes, start, needle.bytes)) hits.needle(start, needle);
			end += 1;
		}
	};
}
function blockAt(bytes, end) {
	return (bytes[end - 1] ?? 0) << 8 | (bytes[end] ?? 0);
}
function startsAt(bytes, start, needle) {
	if (start < 0 || start + needle.length > bytes.length) return false;
	for (let at = 0; at < needle.length; at++) if (bytes[start + at] !== needle[at]) return false;
	return true;
}
/** The key under which the prefix stands at an offset; 0 where it does not, or stands there plainly. */
function xorKeyAt(bytes, start, prefix) {
	if (start < 0 || start + prefix.length > bytes.length) return 0;
	const key = bytes[start] ^ prefix[0];
	for (let at = 1; at < prefix.length; at++) if ((bytes[start + at] ^ key) !== prefix[at]) return 0;
	return key;
}
function xorSearch(prefix) {
	const letters = Buffer.from(prefix);
	const width = letters.length - 1;
	const differences = Uint8Array.from({ length: width }, (_, at) => (letters[at] ?? 0) ^ (letters[at + 1] ?? 0));
	const skips = (/* @__PURE__ */ new Uint8Array(256)).fill(width);
	for (let at = 0; at < width - 1; at++) skips[differences[at] ?? 0] = width - 1 - at;
	const last = differences[width - 1] ?? 0;
	return (bytes, hits) => {
		const { length } = bytes;
		let end = width;
		while (end < length) {
			const difference = bytes[end - 1] ^ bytes[end];
			if (difference === last) {
				const key = xorKeyAt(bytes, end - width, letters);
				if (key !== 0) hits.xored(end - width, key);
			}
			end += skips[difference];
		}
	};
}
// dist/src/audit/scan/kernel-search.js
var backslash = 5;
var percentOrEntity = 6;
var escapes = 96;
/** `null` where the platform has no SIMD, or where a needle is too short for it. */
function createKernelSearcher(needles, prefix) {
	if (needles.some(({ bytes }) => bytes.length < 4)) return null;
	const patterns = [...escapePatterns];
	const byWord = /* @__PURE__ */ new Map();
	for (const needle of needles) {
		const back = rarestPart(needle);
		const word = needle.bytes.readUInt32LE(back);
		const part = needle.bytes.subarray(back, back + 4);
		patterns.push({
			bucket: bucketOf(needle),
			classes: [...part].map((byte) => [byte])
		});
		byWord.set(word, [...byWord.get(word) ?? [], {
			needle,
			back
		}]);
	}
	const letters = Buffer.from(prefix);
	const { back: xorBack, differences } = rarestDifferences(letters);
	const mark = createMarker(patterns, differences);
	if (mark === null) return null;
	const isEscape = escapeOf(prefix);
	return { search(bytes, hits) {
		mark(bytes, (offset, word, buckets) => {
			if ((buckets & 256) !== 0) {
				const key = xorKeyAt(bytes, offset - xorBack, letters);
				if (key !== 0) hits.xored(offset - xorBack, key);
			}
			if ((buckets & escapes) !== 0 && isEscape(bytes, offset)) hits.escape(offset);
			const marked = byWord.get(word);
			if (marked === void 0) return;
			for (const { needle, back } of marked) if (startsAt(bytes, offset - back, needle.bytes)) hits.needle(offset - back, needle);
		});
	} };
}
/** Needles that begin alike share a bucket, so that few other texts pass its tables. */
function bucketOf({ form, view, bytes }) {
	if (view !== "utf-8") return form === "base64" || form === "hex" ? 7 : 4;
	if (form === "escaped") return bytes[0] === 92 ? backslash : percentOrEntity;
	return {
		plain: 0,
		reversed: 0,
		"mint-path": 0,
		base64: 1,
		hex: 2,
		jwt: 3
	}[form];
}
/** How an escape can begin, byte by byte. */
var digits = "0123456789";
var hexDigits = `${digits}abcdefABCDEF`;
var escapePatterns = [{
	bucket: backslash,
	classes: [
		"\\",
		`xuXU${digits}`,
		`{${hexDigits}`,
		any()
	].map(codes)
}, {
	bucket: percentOrEntity,
	classes: [
		"%&",
		`#${digits}`,
		`xX${hexDigits}`,
		any()
	].map(codes)
}];
function any() {
	return Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)).toString("latin1");
}
function codes(text) {
	return [...Buffer.from(text, "latin1")];
}
/** The four bytes of a needle that other data is least likely to hold; of UTF-16, two characters and no zero first. */
function rarestPart({ bytes, form, view }) {
	const first = view === "utf-16be" ? 1 : 0;
	if (form === "escaped" || form === "jwt") return first;
	const step = view === "utf-8" ? 1 : 2;
	const rank = (at) => commonness(bytes.subarray(at, at + 4));
	let best = first;
	for (let at = first; at + 4 <= bytes.length; at += step) if (rank(at) < rank(best)) best = at;
	return best;
}
/** Lower-case letters are in every text. */
function commonness(bytes) {
	return bytes.filter((byte) => byte >= 97 && byte <= 122).length;
}
/** Three differences between neighbours in the prefix, none of them 0 where that can be had. */
function rarestDifferences(prefix) {
	const all = Array.from(prefix.subarray(1), (byte, at) => byte ^ (prefix[at] ?? 0));
	const rank = (at) => all.slice(at, at + 3).reduce((sum, value) => sum + (value < 32 ? 1 : 0), 0);
	let back = 0;
	for (let at = 1; at + 3 <= all.length; at++) if (rank(at) < rank(back)) back = at;
	const [d0 = 0, d1 = 0, d2 = 0] = all.slice(back, back + 3);
	return {
		back,
		differences: [
			d0,
			d1,
			d2
		]
	};
}
// dist/src/audit/scan/search.js
/** With SIMD where the platform has it; both ways find the same. */
function createSearcher(needles, prefix) {
	return createKernelSearcher(needles, prefix) ?? createPlainSearcher(needles, prefix);
}
// dist/src/audit/settings.js
var megabyte = 1048576;
var defaultLimits = {
	depth: 12,
	wholeBytes: 128 * megabyte,
	heldBytes: 144 * megabyte,
	totalBytes: 65536 * megabyte,
	entries: 2e6
};
// dist/src/audit/create-audit.js
var nothingSpent = {
	entries: 0,
	bytes: 0,
	opened: 0,
	inflated: 0,
	allowed: 0
};
function createAudit(settings) {
	const { onProgress = () => {} } = settings;
	const { prefix = defaultPrefix, leastSuffix = 16, mintHost, like = [] } = settings;
	const withoutSecrets = createNameCleaner(prefix);
	return {
		collector: createCollector(prefix),
		searcher: createSearcher(needlesFor(prefix), prefix),
		repeats: createRepeats(),
		inflater: createInflater(),
		ahead: { bytes: 0 },
		progress: createProgress((location, bytes) => onProgress(withoutSecrets(location), bytes)),
		prefix,
		leastSuffix,
		escaped: escapedPattern(prefix),
		mintHost,
		jwts: createJwtJudge(like, settings.nowSeconds ?? (() => Date.now() / 1e3)),
		limits: {
			...defaultLimits,
			...settings.limits
		},
		spent: { ...nothingSpent }
	};
}
// dist/src/audit/walk.js
/** Every regular file once. Links are not followed: what they lead to is found at its own place, or is a gap. */
function* filesIn(root, given, gap) {
	const pending = [[
		root,
		given.length > 1 ? given.replace(/\/+$/, "") : given,
		kindOf(statSync(root))
	]];
	for (let next = pending.pop(); next !== void 0; next = pending.pop()) {
		const [path, location, kind] = next;
		try {
			if (kind === "folder") for (const child of childrenOf(path).reverse()) pending.push([
				joined(path, child.name),
				joined(location, child.name),
				child.kind
			]);
			else if (kind === "file") yield {
				path,
				location,
				name: lastPart(path)
			};
			else if (kind === "link") {
				const reason = outside(path, root);
				if (reason !== null) gap(location, reason);
			} else gap(location, "not a regular file");
		} catch (error) {
			gap(location, unreadable(error));
		}
	}
}
function unreadable(error) {
	return `cannot be read (${error.code ?? "error"})`;
}
function kindOf(entry) {
	if (entry.isFile()) return "file";
	if (entry.isDirectory()) return "folder";
	return entry.isSymbolicLink() ? "link" : "other";
}
/** In the order of their names, so that two runs report in the same order. */
function childrenOf(folder) {
	const children = readdirSync(folder, { withFileTypes: true });
	if (children.every(({ name }) => !name.includes("�")) && typeof folder === "string") return children.sort((a, b) => a.name < b.name ? -1 : 1).map((child) => ({
		name: child.name,
		kind: kindOf(child)
	}));
	return readdirSync(folder, { encoding: "buffer" }).sort(Buffer.compare).map((name) => ({
		name,
		kind: kindOf(lstatSync(joined(folder, name)))
	}));
}
function outside(link, root) {
	const real = realpathSync(link);
	return real === root || real.startsWith(root === "/" ? "/" : `${root}/`) ? null : "a link that leads out of the path";
}
function joined(folder, name) {
	if (typeof folder === "string" && typeof name === "string") return folder === "/" ? `/${name}` : `${folder}/${name}`;
	return Buffer.concat([
		Buffer.from(folder),
		Buffer.from("/"),
		Buffer.from(name)
	]);
}
// dist/src/audit/on-disk.js
/** Reads one file after the other into the same memory, which costs less than new memory for each. */
function createReader() {
	let memory = Buffer.allocUnsafeSlow(0);
	return (file, size) => {
		if (memory.length < size) memory = Buffer.allocUnsafeSlow(Math.min(largestAtOnce, Math.max(size, memory.length * 2, 65536)));
		return readInto(file, memory.subarray(0, size), 0);
	};
}
/** A larger file is opened where it is: if it is an archive, only its entries are read. */
var largestAtOnce = 67108864;
/** Nothing is waited for: what was a file a moment ago may be a pipe now. */
var flags = constants$1.O_RDONLY | (constants$1.O_NONBLOCK ?? 0);
/** @returns `false` where the file was left as it is */
async function auditOnDisk(audit, { path, location, name }, { read, isGiven = false, leaves = () => false }) {
	const shown = printable(location);
	const gap = (reason) => {
		audit.collector.gap("opaque", shown, reason);
		return true;
	};
	let file = null;
	try {
		file = openSync(path, flags);
		const found = fstatSync(file);
		if (!found.isFile()) return gap("not a regular file");
		const { size } = found;
		if (size === 0) return isGiven ? gap("a file of no bytes") : true;
		if (leaves(name, size, null)) return false;
		const isSmall = size <= Math.min(largestAtOnce, audit.limits.wholeBytes);
		const source = isSmall ? inMemory(read(file, size)) : inFile(file, 0, size);
		if (source.whole !== void 0 && leaves(name, size, source.whole)) return false;
		audit.spent.opened += 1;
		allow(audit, size);
		if (spend(audit, size)) await auditSource(audit, {
			location: shown,
			name,
			source,
			depth: 0,
			held: isSmall ? size : 0
		});
		else audit.collector.gap("limit", shown, "more files or bytes than the limits allow");
		return true;
	} catch (error) {
		if (error.syscall === void 0) throw error;
		return gap(unreadable(error));
	} finally {
		if (file !== null) closeSync(file);
	}
}
// dist/src/audit/threads/claims.js
var [open, first, second, left] = [
	0,
	1,
	2,
	3
];
function createClaims(files) {
	return claimsIn(new Int32Array(new SharedArrayBuffer(4 * files.length)));
}
function claimsIn(states) {
	const take = (index, by) => Atomics.compareExchange(states, index, open, by) === open;
	const those = (wanted) => Array.from(states.keys()).filter((index) => wanted.includes(Atomics.load(states, index)));
	return {
		states,
		takeFirst: (index) => take(index, first),
		takeSecond: (index) => take(index, second),
		leave: (index) => void Atomics.store(states, index, left),
		left: () => those([left]),
		ofSecond: () => those([second, left])
	};
}
export { filesIn as a, modelOf as c, formatOf as d, createReader as i, observedModel as l, createClaims as n, createAudit as o, auditOnDisk as r, nothingSpent as s, claimsIn as t, mayBeOpened as u };
