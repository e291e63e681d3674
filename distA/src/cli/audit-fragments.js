import { n as base64At, t as createMarker } from "./audit-marker.js";
// dist/src/audit/javascript/masked-codes.js
var list = /(?:(?:0[xX][0-9a-fA-F]{1,2}|\d{1,3})\s*,\s*){7,}/g;
/** Without one of these, numbers become no text. */
var decoders = [
	"fromCharCode",
	"fromCodePoint",
	"TextDecoder",
	"Buffer.from"
];
var mostNumbers = 2e5;
/**
* Whether a list of numbers may be the codes of a text that holds the prefix, in either direction, each of them shifted
* or masked by the same number: then the steps from one to the next are those of the prefix.
*/
function hasMaskedCodes(text, prefix) {
	if (!decoders.some((name) => text.includes(name))) return false;
	const codes = [...prefix].map((char) => char.charCodeAt(0));
	const wanted = [codes, [...codes].reverse()].flatMap((order) => [steps(order, shift), steps(order, mask)]);
	let left = mostNumbers;
	for (const [match] of text.matchAll(list)) {
		const numbers = match.split(",").slice(0, left).map(Number);
		left -= numbers.length;
		if (left <= 0) return true;
		for (const step of [shift, mask]) {
			const found = `,${steps(numbers, step)}`;
			if (wanted.some((those) => found.includes(`,${those}`))) return true;
		}
	}
	return false;
}
var shift = (from, to) => to - from;
var mask = (from, to) => from ^ to;
function steps(numbers, step) {
	return numbers.slice(1).map((number, at) => `${step(numbers[at] ?? 0, number)},`).join("");
}
// dist/src/audit/javascript/spelling.js
/** How a literal begins and ends, as a part of a template or inside another literal, too. */
var openers = "\"'`}";
var closers = "\"'`$\\";
var opening = "[\"'`}]";
var closing = "[\"'`$\\\\]";
var gramLength = 4;
/** Of an encoded text, somebody leaves as many characters together somewhere. */
var leastEncoded = 5;
/**
* Recognises every script that spells the text out of literals of two or more characters, or of one letter beside the one that comes before or after it;
* where a large part is a literal, the rest may be computed.
* @param isEncoded the text is one that nobody cuts into pieces of fewer than five characters only
*/
function createSpelling(target, isEncoded) {
	const { length } = target;
	const middle = length >> 1;
	const large = Math.max(5, Math.ceil(length * .6));
	const all = piecesOf(target);
	const isSign = ({ from, to }) => isEncoded ? to - from >= leastEncoded : to - from >= gramLength || from <= middle && to > middle;
	const signs = all.filter(isSign);
	return {
		sign: length < 8 ? /^/ : new RegExp(signs.map(({ source }) => source).join("|")),
		grams: gramsOf(target).filter((_, at) => !isEncoded || at % 2 === 0),
		shortPieces: signs.filter(({ from, to }) => to - from < gramLength).map(({ from, to }) => target.slice(from, to)),
		canBeSpelledIn(script) {
			if (all.some((piece) => piece.to - piece.from >= large && piece.isAlone().test(script))) return true;
			const isReached = [true];
			for (const { from, to, pattern } of all) if (isReached[from] === true && isReached[to] !== true) isReached[to] = pattern().test(script);
			return isReached[length] === true;
		}
	};
}
function gramsOf(target) {
	return Array.from({ length: Math.max(0, target.length + 1 - gramLength) }, (_, at) => target.slice(at, at + gramLength));
}
/** In the order of their beginnings. */
function piecesOf(target) {
	return Array.from(target, (_, from) => Array.from({ length: target.length - from }, (_, more) => {
		const to = from + more + 1;
		const source = sourceOf(target, from, to);
		const isEnd = from > 0 && to === target.length;
		return {
			from,
			to,
			source,
			pattern: once(source),
			isAlone: once(isEnd ? source + notOnlyWords : source)
		};
	})).flat();
}
function once(source) {
	let made;
	return () => {
		made ??= new RegExp(source);
		return made;
	};
}
/** A literal such as "live_region" is a word and no end of a key. */
var notOnlyWords = `(?!(?:[a-z_]+|[A-Z_]+)${closing})`;
/** A literal that is a part of the text, or that ends or begins with its beginning or end. */
function sourceOf(target, from, to) {
	const piece = literally(target.slice(from, to));
	const isFirst = from === 0;
	const isLast = to === target.length;
	if (isFirst && isLast) return piece;
	if (to - from > 1 || isLast || /[^a-z0-9]/i.test(target[from] ?? "")) return `${isFirst ? "" : opening}${piece}${isLast ? "" : closing}`;
	if (isFirst) return `(?<![A-Za-z0-9])${piece}${closing}`;
	const before = literally(target[from - 1] ?? "");
	const after = literally(target[to] ?? "");
	const separator = `["'\`]\\s{0,9}[,+]\\s{0,9}${opening}`;
	return `${before}${separator}${piece}${closing}|${opening}${piece}${separator}${after}|\\}${piece}\\$`;
}
/** For a pattern. */
function literally(text) {
	return text.replace(/[^\w]/g, "\\$&");
}
// dist/src/audit/javascript/clues.js
/** All that betrays a key, a token or an address that a script puts together. */
function cluesFor(prefix) {
	return [
		...spelled(prefix),
		...separated(prefix),
		escaped(prefix),
		...coded(prefix),
		masked(prefix),
		token,
		mintPath
	];
}
var any = String.fromCharCode(...Array.from({ length: 256 }, (_, code) => code));
var blanks = " 	\n\r";
var gap = `[${blanks}]{0,40}`;
/** What may stand between the characters of a text until it is split there, or in the place of its underscores. */
var separators = "!#$%&()*+,-./:;<=>?@[]^{|}~";
function always() {
	return true;
}
function mark(...classes) {
	const [first = any, second = any, third = any, fourth = any] = classes;
	return [
		first,
		second,
		third,
		fourth
	];
}
/** The prefix in literals: in or against its direction, in the other case, and in the encodings that scripts decode. */
function spelled(prefix) {
	const percent = (code) => prefix.replace(/[^a-z0-9]/gi, (char) => `%${code(char.charCodeAt(0).toString(16))}`);
	const hex = Buffer.from(prefix).toString("hex");
	const plain = [
		prefix,
		[...prefix].reverse().join(""),
		prefix.toUpperCase(),
		prefix.toLowerCase()
	];
	const encoded = [
		percent((code) => code),
		percent((code) => code.toUpperCase()),
		hex,
		hex.toUpperCase(),
		...[
			0,
			1,
			2
		].map((shift) => base64At(prefix, shift)[0])
	];
	const clue = (text, isEncoded) => {
		const { sign, grams, shortPieces, canBeSpelledIn } = createSpelling(text, isEncoded);
		const literals = shortPieces.map((piece) => mark(openers, ...piece, closers));
		return {
			sign,
			marks: text.length >= 8 ? [...grams.map((gram) => mark(...gram)), ...literals] : null,
			confirms: canBeSpelledIn
		};
	};
	return [...[...new Set(plain)].map((text) => clue(text, false)), ...[...new Set(encoded)].filter((text) => !plain.includes(text)).map((text) => clue(text, true))];
}
/** The prefix with a mark between its characters, or with other marks than its own. */
function separated(prefix) {
	const [first = "", second = "", third = ""] = [...prefix].map(literally);
	const separator = `[${literally(separators)}]`;
	const words = prefix.split(/[^a-z0-9]/i).filter((word) => word !== "");
	const [before = "", after = ""] = words;
	const between = {
		sign: new RegExp(`${first}(${separator})${second}\\1${third}\\1`),
		marks: [mark(prefix[0] ?? "", separators, prefix[1] ?? "", separators)],
		confirms: always
	};
	if (words.length < 2) return [between];
	return [between, {
		sign: new RegExp(`${before}${separator}${after}`),
		marks: [mark(before.slice(-1), separators, ...after.slice(0, 2))],
		confirms: always
	}];
}
/** A character of the prefix as an escape. */
function escaped(prefix) {
	const hexes = [...new Set(Buffer.from(prefix))].map((code) => code.toString(16));
	const digits = [0, 1].map((at) => hexes.map((hex) => eitherCase(hex[at] ?? "")).join(""));
	const written = hexes.map((hex) => {
		return `x${hex}|u00${hex}|u\\{0*${hex}\\}|${Number.parseInt(hex, 16).toString(8)}(?!\\d)`;
	});
	return {
		sign: new RegExp(`\\\\(?:${written.join("|")})`, "i"),
		marks: [
			mark("\\", "xX", ...digits),
			mark("\\", "uU", "0", "0"),
			mark("\\", "uU", "{"),
			mark("\\", "1", "0123456789", "0123456789")
		],
		confirms: always
	};
}
/** The codes of three characters of the prefix in a row, in or against its direction. */
function coded(prefix) {
	const codes = [...prefix].map((char) => char.charCodeAt(0));
	return [codes.slice(0, 3), codes.toReversed().slice(0, 3)].flatMap((three) => [three.map(String), three.map((code) => `0x${code.toString(16)}`)].map((written) => {
		const first = [...(written[0] ?? "").replace("0x", "x")].map(eitherCase);
		return {
			sign: new RegExp(`(?<!\\w)${written.join(`${gap},${gap}`)}(?!\\w)`, "i"),
			marks: [mark(...[...first, `${blanks},`].slice(0, 4))],
			confirms: always
		};
	}));
}
function masked(prefix) {
	return {
		sign: /fromCharCode|fromCodePoint|TextDecoder|Buffer\.from/,
		marks: [
			"mCha",
			"mCod",
			"xtDe",
			"r.fr"
		].map((text) => mark(...text)),
		confirms: (script) => hasMaskedCodes(script, prefix)
	};
}
/** A literal that begins like a token, and ends before the token does. */
var token = {
	sign: /(?<![\w$])eyJ/,
	marks: [mark("e", "y", "J")],
	confirms: (script) => /(?<![\w$])eyJ[\w-]*(?:\.[\w-]+)?\.?["'`$\\]/.test(script)
};
var mintPath = {
	sign: /calling(?:(?:\/|%2f|\\u002f)token|\/?["'`$\\])/i,
	marks: [mark("l", "l", "i", "n")],
	confirms: always
};
function eitherCase(char) {
	return char.toLowerCase() + char.toUpperCase();
}
// dist/src/audit/javascript/buckets.js
var buckets = 8;
var places = [
	0,
	1,
	2,
	3
];
var nothing = {
	lows: [
		0,
		0,
		0,
		0
	],
	highs: [
		0,
		0,
		0,
		0
	]
};
/** Puts together what lets few other texts pass, the widest first. @returns the bucket of each pattern */
function bucketsFor(patterns) {
	const passing = Array.from({ length: buckets }, () => nothing);
	const chosen = [];
	const own = patterns.map(passingOf);
	const order = own.map((_, index) => index).sort((a, b) => cost(own[b]) - cost(own[a]));
	for (const index of order) {
		const added = passing.map((before) => together(before, own[index] ?? nothing));
		const increases = added.map((after, bucket) => cost(after) - cost(passing[bucket]));
		const best = increases.indexOf(Math.min(...increases));
		passing[best] = added[best] ?? nothing;
		chosen[index] = best;
	}
	return chosen;
}
function passingOf(classes) {
	const bits = (half) => places.map((place) => (classes[place] ?? []).reduce((sum, byte) => sum | 1 << half(byte), 0));
	return {
		lows: bits((byte) => byte & 15),
		highs: bits((byte) => byte >> 4)
	};
}
function together(a, b) {
	const or = (one, other) => one.map((bits, at) => bits | (other[at] ?? 0));
	return {
		lows: or(a.lows, b.lows),
		highs: or(a.highs, b.highs)
	};
}
/** Small letters are most of a script; control characters and bytes beyond ASCII are next to nothing. */
var frequencyOfHigh = [
	0,
	0,
	2,
	1,
	1,
	1,
	8,
	8,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	0
];
function cost({ lows, highs } = nothing) {
	let product = 1;
	for (const place of places) {
		let low = 0;
		let high = 0;
		for (let bit = 0; bit < 16; bit++) {
			low += (lows[place] ?? 0) >> bit & 1;
			high += ((highs[place] ?? 0) >> bit & 1) * (frequencyOfHigh[bit] ?? 0);
		}
		product *= low * high;
	}
	return product;
}
// dist/src/audit/javascript/mark-clues.js
/** Finds the clues of which a script holds a sign; `null` where the platform has no SIMD, or a clue no marks. */
function createClueMarker(clues) {
	if (clues.some(({ marks }) => marks === null)) return null;
	const marked = clues.flatMap((clue) => (clue.marks ?? []).map((mark) => ({
		clue,
		classes: mark.map(codesOf)
	})));
	const buckets = bucketsFor(marked.map(({ classes }) => classes));
	const visitMarks = createMarker(marked.map(({ classes }, index) => ({
		classes,
		bucket: buckets[index] ?? 0
	})));
	if (visitMarks === null) return null;
	const cluesAt = createLookup(marked);
	return (script) => {
		const signed = /* @__PURE__ */ new Set();
		visitMarks(script, (offset, word) => {
			for (const clue of cluesAt(word)) if (!signed.has(clue) && isSigned(clue, script, offset)) signed.add(clue);
		});
		return signed;
	};
}
function isSigned({ sign }, script, offset) {
	return sign.test(script.toString("latin1", Math.max(0, offset - 160), offset + 160));
}
function codesOf(chars) {
	return [...Buffer.from(chars, "latin1")];
}
var bitsPerWord = 32;
/** The clues that four bytes (in little endian) may be a sign of, by a bit for each mark that allows each byte. */
function createLookup(marked) {
	const width = Math.ceil(marked.length / bitsPerWord);
	const [first, second, third, fourth] = [
		0,
		1,
		2,
		3
	].map((place) => {
		const bits = new Int32Array(256 * width);
		marked.forEach(({ classes }, index) => {
			for (const byte of classes[place] ?? []) {
				const at = byte * width + Math.floor(index / bitsPerWord);
				bits[at] = (bits[at] ?? 0) | 1 << index % bitsPerWord;
			}
		});
		return bits;
	});
	return (word) => {
		const [a, b, c, d] = [
			word & 255,
			word >> 8 & 255,
			word >> 16 & 255,
			word >>> 24
		];
		let found = none;
		for (let at = 0; at < width; at++) {
			const bits = first[a * width + at] & second[b * width + at] & third[c * width + at] & fourth[d * width + at];
			if (bits !== 0) found = [...found, ...withBits(marked, bits, at * bitsPerWord)];
		}
		return found;
	};
}
var none = [];
function withBits(marked, bits, from) {
	return marked.slice(from, from + bitsPerWord).flatMap(({ clue }, bit) => (bits >> bit & 1) === 1 ? [clue] : []);
}
// dist/src/audit/javascript/fragments.js
var made = /* @__PURE__ */ new Map();
function fragmentsOf(prefix) {
	const known = made.get(prefix);
	if (known !== void 0) return known;
	const wanted = cluesFor(prefix);
	const inText = (text) => wanted.some(({ sign, confirms }) => sign.test(text) && confirms(text));
	const mark = createClueMarker(wanted);
	const fragments = {
		inText,
		inBytes(bytes) {
			if (mark === null) return inText(bytes.toString("latin1"));
			const signed = mark(bytes);
			if (signed.size === 0) return false;
			const text = bytes.toString("latin1");
			return [...signed].some(({ confirms }) => confirms(text));
		}
	};
	made.set(prefix, fragments);
	return fragments;
}
export { fragmentsOf as t };
