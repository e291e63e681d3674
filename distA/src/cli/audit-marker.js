import { createHash } from "node:crypto";
// dist/src/audit/finding.js
/** Why a part could not be audited, by rule. */
var gapRules = {
	encrypted: "AUD-090",
	corrupt: "AUD-091",
	unsupported: "AUD-092",
	limit: "AUD-093",
	fairplay: "AUD-094",
	opaque: "AUD-095",
	fallback: "AUD-096",
	disagreement: "AUD-097"
};
// dist/src/audit/fingerprint.js
/** The same secret has the same fingerprint in every place and run, so that a baseline keeps working. */
function fingerprintOf(secret) {
	return `sha256:${createHash("sha256").update("twotoken\0").update(secret, "utf8").digest("hex").slice(0, 16)}`;
}
/** All that is ever shown of a secret: its prefix and its length. */
function shownAs(prefix, length) {
	return `${prefix}… (${length} characters)`;
}
// dist/src/audit/location.js
/** Joins a container's location and the name of what it holds; bytes that cannot be shown are percent-encoded. */
function inside(container, name) {
	return `${container}!${printable(name)}`;
}
/** What a path ends with, by which formats are told that have no other mark. */
function lastPart(path) {
	const text = typeof path === "string" ? path : path.toString("utf8");
	return text.slice(text.lastIndexOf("/") + 1);
}
/** Names can hold secrets too: no more of one is left than how it begins. */
function createNameCleaner(prefix) {
	const key = new RegExp(`(${prefix.replace(/[^A-Za-z0-9_-]/g, "\\$&")})[A-Za-z0-9_-]{6,}`, "g");
	return (text) => text.replace(key, "$1…").replace(/(e[wy][A-Za-z0-9_-]{2})[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)*/g, "$1…");
}
/** Control bytes and bytes that are no UTF-8 are percent-encoded. */
function printable(name) {
	return (typeof name === "string" ? name : utf8(name)).replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, (char) => [...Buffer.from(char)].map(percent).join(""));
}
function utf8(bytes) {
	const text = bytes.toString("utf8");
	if (!text.includes("�")) return text;
	let shown = "";
	for (let at = 0; at < bytes.length;) {
		const lead = bytes[at] ?? 0;
		const length = lead < 128 ? 1 : lead < 224 ? 2 : lead < 240 ? 3 : 4;
		const read = bytes.subarray(at, at + length).toString("utf8");
		const valid = !read.includes("�") && Buffer.byteLength(read) === length;
		shown += valid ? read : percent(lead);
		at += valid ? length : 1;
	}
	return shown;
}
function percent(byte) {
	return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}
// dist/src/audit/report-to.js
function createCollector(prefix) {
	const withoutSecrets = createNameCleaner(prefix);
	const findings = /* @__PURE__ */ new Map();
	const gaps = /* @__PURE__ */ new Map();
	const places = /* @__PURE__ */ new Set();
	const addPlaces = (location, fingerprint) => {
		for (let place = location;; place = place.slice(0, place.lastIndexOf("!"))) {
			places.add(`${place}\0${fingerprint}`);
			if (!place.includes("!")) break;
		}
	};
	return {
		report({ secret, show, ...rest }) {
			const fingerprint = fingerprintOf(secret);
			const location = withoutSecrets(rest.location);
			const key = `${rest.rule}\0${location}\0${fingerprint}`;
			const shown = rest.kind === "mint-call" ? withoutSecrets(secret) : rest.kind === "exposure" ? show : shownAs(show, secret.length);
			const known = findings.get(key);
			if (known !== void 0 && !isBetter(rest, known)) return;
			findings.set(key, {
				...rest,
				location,
				length: secret.length,
				fingerprint,
				shown
			});
			addPlaces(location, fingerprint);
		},
		gap(kind, location, reason) {
			const gap = {
				rule: gapRules[kind],
				location: withoutSecrets(location),
				reason: withoutSecrets(reason)
			};
			gaps.set(`${gap.rule}\0${gap.location}\0${reason}`, gap);
		},
		count: () => findings.size + gaps.size,
		repeat(from, to) {
			const [known, other] = [withoutSecrets(from), withoutSecrets(to)];
			const moved = (location) => other + location.slice(known.length);
			const isInside = ({ location }) => location === known || location.startsWith(`${known}!`);
			for (const finding of [...findings.values()].filter(isInside)) {
				const location = moved(finding.location);
				findings.set(`${finding.rule}\0${location}\0${finding.fingerprint}`, {
					...finding,
					location
				});
				addPlaces(location, finding.fingerprint);
			}
			for (const gap of [...gaps.values()].filter(isInside)) {
				const location = moved(gap.location);
				gaps.set(`${gap.rule}\0${location}\0${gap.reason}`, {
					...gap,
					location
				});
			}
		},
		has: (location, secret) => places.has(`${withoutSecrets(location)}\0${fingerprintOf(secret)}`),
		add(found) {
			for (const finding of found.findings) {
				findings.set(`${finding.rule}\0${finding.location}\0${finding.fingerprint}`, finding);
				addPlaces(finding.location, finding.fingerprint);
			}
			for (const gap of found.gaps) gaps.set(`${gap.rule}\0${gap.location}\0${gap.reason}`, gap);
		},
		findings: () => [...findings.values()].sort(byPlace),
		gaps: () => [...gaps.values()].sort(byPlace)
	};
}
/** The same audit, but what was seen in a location already, or in something inside it, is not reported there again. */
function exceptKnown(audit) {
	const { collector } = audit;
	return {
		...audit,
		collector: {
			...collector,
			report: (sighting) => {
				if (!collector.has(sighting.location, sighting.secret)) collector.report(sighting);
			}
		}
	};
}
/** Entries are not read in the order of the archive: whatever that order is, reports are the same. */
function byPlace(left, right) {
	if (left.location !== right.location) return left.location < right.location ? -1 : 1;
	if (left.offset !== right.offset) return (left.offset ?? 0) - (right.offset ?? 0);
	return left.rule === right.rule ? 0 : left.rule < right.rule ? -1 : 1;
}
var severity = [
	"note",
	"warning",
	"error"
];
/** Of two sightings of one secret in one place, the more serious is kept, then the one whose end is known, then the exact. */
function isBetter(next, known) {
	if (next.level !== known.level) return severity.indexOf(next.level) > severity.indexOf(known.level);
	if (next.extent !== known.extent) return next.extent === void 0;
	const isExact = ({ decoder }) => decoder === "string-table";
	if (isExact(next) !== isExact(known)) return isExact(next);
	return next.offset < known.offset;
}
/** The rule and level of a key that was read in a form. */
function keyRule(form, shape) {
	if (shape === "strong") return {
		rule: {
			plain: "AUD-001",
			folded: "AUD-005",
			encoded: "AUD-006",
			xor: "AUD-007"
		}[form],
		level: form === "xor" ? "warning" : "error",
		kind: "key"
	};
	if (form === "xor") return null;
	if (shape === "weak") return {
		rule: {
			plain: "AUD-002",
			folded: "AUD-005",
			encoded: "AUD-006"
		}[form],
		level: "warning",
		kind: "key"
	};
	if (shape === "bare") return {
		rule: "AUD-004",
		level: "warning",
		kind: "prefix"
	};
	return form === "encoded" ? null : {
		rule: "AUD-003",
		level: "note",
		kind: "identifier"
	};
}
// dist/src/audit/letter-pairs.js
/**
* How much more often a letter follows another one in words than in random letters: a row for each first letter from a to
* z, then one for the beginning of a word; in it the second letters. `q` is as often, each letter after it half a bit
* more, each before it half a bit less. Counted in 25,000 words of code and texts in English and eight other languages.
*/
var rows = `
  jqsrilplplotquiphtrupomjon
  tnnmukjjtmjvlltkfsrnsiigoi
  thoitfhutlrqhjvjhqnsqheemo
  tkkowkmjujkolntlfpqkrmkgnm
  pnrtooplolnrqulokutrmnlpmm
  tijjtslhvgirhlugeropsehepi
  sjjjwjprufgrnrskdtqnsgidlh
  vkjivjjduhkqnotkhrorphjdog
  qnsqspqigjnrqvsokqsskpgkjp
  vklnvliltikmmntlgktntjmggg
  tknlvkmmtikslotkhqssrikgoi
  uklovklhuflsmmskfhoqqlhfrg
  vqjkvhifufjnqlsteipkqhhfmg
  sjrstouktinmlorkhksupnjfol
  mpqrkmoknkorrvoqfurqrprkkn
  uhkkukjpsghtikurevprqghdlf
  kmhkkkhhqhhomhmhhkkhzhmhhm
  umoovlnjtfnnpotlhprrpmkeon
  rjrkuljrthopmlrrjksvsjmeom
  tjnjvkiqvhjokksjcsrqqhkdpj
  qqqnrnplqnnsrulqgttsilillo
  ueiixiieuekmmntjeomioihiqi
  vklluijquempirsmgqrlleggsj
  qmsmumjnuggmnjovimmvmkgmok
  sqsornnlslpqsrqtepsrplqjln
  vknowgmmtimoorrmglllrloero
  sqssrqpormoprpqskrtqpopiln
`.trim().split(/\s+/);
var beginning = 26;
/** For each capital and each small letter in words of both cases, against one bit for a case that is random. */
var [capital, small] = [-1.3, .7];
/**
* How many bits speak for letters being words, in any case and in camel case, rather than random: words have about one
* for each letter, random letters about one and a half less than none. What is no letter ends a word.
*/
function speechBits(text) {
	const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
	let bits = 0;
	for (const { 0: word, index } of text.matchAll(isMixed ? /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g : /[A-Za-z]+/g)) {
		let row = beginning;
		for (const [at, char] of [...word].entries()) {
			const letter = (char.toLowerCase().codePointAt(0) ?? 0) - 97;
			bits += ((rows[row]?.charCodeAt(letter) ?? 0) - 113) / 2;
			if (isMixed && index + at > 0) bits += char >= "a" ? small : capital;
			row = letter;
		}
	}
	return bits;
}
// dist/src/audit/words.js
/** Words that identifiers of apps are made of: a suffix that consists of them is a name, not a key. */
var words = new Set(`able about accept access account action active activity adapter add address admin agent alert album align all allow
  amount anchor android animation answer any api app apple application apply archive area array arrow asset async attach
  audio auth author auto available avatar back backend background badge banner bar base basic batch begin bell beta bind
  bitmap blank block blue blur board body bold book boolean border bottom bound box brand break bridge broadcast browser
  bubble buffer build bundle button bytes cache calendar call callback caller calling camera cancel canvas caption capture
  card cart case cast category cell center change channel char chart chat check chip circle city class clean clear click
  client clip clock clone close cloud code collapse color column comment common compact company component compose
  conference config confirm connect connected connecting connection constant contact container content context control
  copy core corner count counter country create credential credit cross crop current cursor custom customer dark data
  date day debug decode decline default delay delete delegate demo description design desktop detail details dev device digest
  dialog dialer dialog digit dimen direction disable disabled disconnect display divider document domain done dot double
  down download drag draw drawable drawer drop duration dynamic edge edit effect element email embed emoji empty enable
  enabled encode end endpoint engine enter entry environment error event example exit expand expired export extra face
  factory fade fail failed failure fallback false favorite feature feed fetch field file fill filter final finish first
  fit fix flag flash flex float floating flow focus folder font footer for force foreground form format forward found
  fragment frame free from front full function game gap gesture get global gold gradient grant gray green grid group guest
  guide hand handle handler hang hash header health height hello help here hidden hide high hint history hold home hook
  horizontal host hour icon id idle image import in incoming index info init inner input insert inset inside install
  instance int integer interface internal intent interval into invite is item java join just key keyboard kind kit label
  landscape lang language large last launch launcher layer layout left length level library light like line link list
  listen listener live load loader loading local locale location lock log login logo logout long loop low mail main manager
  manifest map margin mark mask master match material max maximum measure media meeting member menu merge message meta
  method metric micro microphone middle min mini minimum minute missed mobile mode model module month more mount move
  movie multi music mute muted name native nav navigation network new news next night no node none normal not note
  notice notification null number object of off offline offset ok old on one online only opacity open option options
  order orientation original other out outer outgoing outline output over overlay owner pad padding page paint panel
  parent parse participant participants partner password path pattern pause pay payment peer pending people percent
  permission person phone photo pick picker picture pin ping placeholder plain plan platform play player plugin plus
  point policy poll popup port portrait position post power preference preferences prefix premium presence present
  preview previous primary print privacy private process product production profile progress project promise prompt
  property protocol provider proxy public publish pull push put quality query question queue quick quit quota radio radius
  raise random range rate ratio raw react reaction read ready real receive receiver recent record recorder recording
  rect red redirect ref refresh region register reject release reload remote remove render repeat replace reply report
  request require res reset resize resolve resource response rest result resume retry return right ring ringing ringtone
  role room root rotate round route row rule run safe sample save scale scan scene schedule schema scope score screen
  script scroll sdk search second secondary secret section secure security select selected selection send sender sensor
  server service session set setting settings setup shadow shape share shared sheet shop short show shrink side sign
  signal signaling silent simple single site size skip slide slider slot small smart snackbar social socket sort sound
  source space speaker speed spinner split square stack stage star start started state static station status step stick
  stop storage store stream streaming street string strong style sub subject submit subscribe subtitle success summary
  support surface swipe switch symbol sync system tab table tag tap target task team template temp test text texture
  theme thread thumb thumbnail ticket tile time timeout timer tint title toast today toggle token tool toolbar tooltip
  top total touch track transfer transition translate tree trial trigger true try turn type undo unit unknown unlock
  unmute up update upgrade upload url user users utils valid value variant vector version vertical vibrate video view
  viewer visible visit voice volume wait waiting wake wallet warning watch web week welcome white widget width wifi
  window with word work world wrap write year yellow yes you your zero zone zoom`.split(/\s+/));
// dist/src/audit/speech.js
/** Of ten thousand random keys of 24 letters hardly one sounds so much like words. */
var surely = 5;
/** Runs of letters as they are written in camel case, capitals or small letters. */
function letterPieces(text) {
	return text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
}
/** Words in any language, with few numbers between them: long pieces of one case, built as speech is. */
function isSpelled(text) {
	if (/[0-9a-f]{16}|[0-9A-F]{16}/.test(text) && /\d/.test(text)) return false;
	const pieces = letterPieces(text);
	const letters = pieces.join("");
	const isMixed = /[a-z]/.test(text) && /[A-Z]/.test(text);
	const numbers = text.match(/\d+/g)?.length ?? 0;
	if (letters.length < 8 || numbers > (isMixed || /[_-]/.test(text) ? 3 : 1)) return false;
	if (numbers > 0 && !isMixed && !/[_-]/.test(text) && wordCover(text) < .3) return false;
	const mean = letters.length / pieces.length;
	if (numbers > 0 && (mean < 4 || isMixed && mean < 6 && wordCover(text) < .4)) return false;
	return isSpeech(text);
}
/** Whether letters sound like words. */
function isSpeech(text) {
	return speechBits(text) >= surely;
}
/** The share of the letters and digits that words of three letters and more account for. */
function wordCover(text) {
	const pieces = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
	const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
	const covered = pieces.reduce((sum, piece) => sum + longestWords(piece.toLowerCase()), 0);
	return total === 0 ? 0 : covered / total;
}
function longestWords(piece) {
	let covered = 0;
	for (let at = 0; at < piece.length;) {
		let taken = 0;
		for (let length = Math.min(14, piece.length - at); length >= 3; length--) if (words.has(piece.slice(at, at + length))) {
			taken = length;
			break;
		}
		covered += taken;
		at += Math.max(1, taken);
	}
	return covered;
}
// dist/src/audit/key-shape.js
var defaultPrefix = "ac_live_";
var strongRun = 12;
/** Bits a character: of a hundred thousand random hexadecimal keys hardly one has less. */
var strongBits = 2.15;
var mixedBits = 2.6;
var longNumber = 20;
var weakSuffix = 6;
/** Of a thousand names hardly one has fewer bits that speak for words: of one case, and in camel case. */
var [noSpeech, noCamelCase] = [-6, 0];
/** A word of one case is shorter, unless it sounds like one. */
var longestWord = 12;
/** The specification gives only the prefix of a key; what follows is judged by how random it is. */
function shapeOf(suffix, least = 16) {
	if (/^[_-]*$/.test(suffix)) return "bare";
	if (isStrong(suffix, least)) return "strong";
	if (isIdentifier(suffix) || isSpelled(suffix) && suffix.length >= least) return "identifier";
	return suffix.length >= weakSuffix ? "weak" : "identifier";
}
function isStrong(suffix, least) {
	if (suffix.length < least) return false;
	if (isScattered(suffix)) return true;
	if (isSpelled(suffix)) return false;
	if (/^\d+$/.test(suffix)) return suffix.length >= longNumber && entropy(suffix) >= strongBits;
	if (!/\d/.test(suffix)) return isUnpronounceable(suffix);
	const bits = entropy(suffix);
	if (bits < strongBits) return false;
	if (longestRun(suffix) < Math.min(strongRun, least) && (bits < 3.3 || wordCover(suffix) >= (isMixed(suffix) ? .4 : .3))) return false;
	return !isIdentifier(suffix) && wordCover(suffix) < .5;
}
function isMixed(suffix) {
	return /[a-z]/.test(suffix) && /[A-Z]/.test(suffix);
}
/** Capitals, small letters and digits that change places faster than in any sequence of words. */
function isScattered(suffix) {
	if (!isMixed(suffix)) return false;
	const pieces = suffix.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [];
	const longest = /\d/.test(suffix) || isSpeech(suffix) ? 2.7 : 3.5;
	return pieces.join("").length / pieces.length < longest && entropy(suffix) >= mixedBits;
}
/** Words of one case joined by `_` or `-`, with digits only at the end of a word; or a placeholder. */
function isIdentifier(suffix) {
	if (/^(.)\1*$/.test(suffix)) return true;
	const parts = suffix.split(/[_-]+/).filter((part) => part !== "");
	const lower = parts.every((part) => /^[a-z]+\d{0,3}$|^\d{1,3}$/.test(part));
	const upper = parts.every((part) => /^[A-Z]+\d{0,3}$|^\d{1,3}$/.test(part));
	if ((lower || upper) && parts.every(isWordLike)) return true;
	return /^[A-Za-z_-]+\d{0,3}$/.test(suffix) && wordCover(suffix) >= .5;
}
function isWordLike(part) {
	if (part.length <= longestWord) return true;
	return wordCover(part) >= .5 || isSpeech(part);
}
function longestRun(text) {
	return Math.max(...text.split(/[_-]/).map((run) => run.length));
}
/** Shannon entropy in bits a character. */
function entropy(text) {
	const counts = /* @__PURE__ */ new Map();
	for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
	let bits = 0;
	for (const count of counts.values()) bits -= count / text.length * Math.log2(count / text.length);
	return bits;
}
/** Letters alone, as no language puts them together: of those that only might be words, a warning has to do. */
function isUnpronounceable(suffix) {
	const isCamel = isMixed(suffix);
	if (!isCamel && longestRun(suffix) < strongRun) return false;
	return speechBits(suffix) < (isCamel ? noCamelCase : noSpeech) && entropy(suffix) >= mixedBits && !isIdentifier(suffix);
}
// dist/src/audit/scan/key.js
var longest = 512;
/** `\n`, `\x20`, `\u0020` and `%20` end in what looks like a part of a word. */
var escapeEnd = /(?:\\(?:[abefnrtv0]|x[0-9a-f]{2}|u[0-9a-f]{4})|%[0-9a-f]{2})$/i;
/** The candidate that begins at an index of a text. Never longer than 512 characters. */
function keyAt(text, at, prefix, leastSuffix) {
	const run = /^[A-Za-z0-9_-]*/.exec(text.slice(at + prefix.length, at + prefix.length + longest))?.[0] ?? "";
	const previous = text[at - 1] ?? "";
	const follows = /[A-Za-z0-9]/.test(previous) && !escapeEnd.test(text.slice(Math.max(0, at - 6), at));
	return {
		secret: prefix + run,
		shape: shapeOf(run, leastSuffix),
		follows,
		isGlued: follows && /[a-z]/.test(previous),
		next: text[at + prefix.length + run.length] ?? "",
		previous
	};
}
// dist/src/audit/scan/place.js
/** Where in its file an index of a window is. */
function place(file, window, index) {
	const { location, format, bytes, base = 0 } = file;
	const offset = window.offsetOf(index);
	const line = file.isText && base === 0 ? { line: lineOf(bytes, offset) } : {};
	return {
		location,
		format,
		offset: base + offset,
		...line
	};
}
var counted = /* @__PURE__ */ new WeakMap();
/** Counted from 1. Places of one file mostly come in ascending order: what was counted is not counted again. */
function lineOf(bytes, offset) {
	const last = counted.get(bytes);
	let { offset: from, line } = last !== void 0 && last.offset <= offset ? last : {
		offset: 0,
		line: 1
	};
	for (let at = bytes.indexOf(10, from); at !== -1 && at < offset; at = bytes.indexOf(10, at + 1)) {
		line += 1;
		from = at + 1;
	}
	counted.set(bytes, {
		offset: Math.max(from, offset),
		line
	});
	return line;
}
// dist/src/audit/mint-call.js
var path = /\/?api\/v1\/calling\/token$/;
var spelled = /^v1(?:\\?\/|%2f|\\u002f)calling(?:\\?\/|%2f|\\u002f)token/i;
/**
* Reads the URL whose `v1/calling/token` is at an index. `null` where the path goes on or begins differently, as
* the customer's own route may.
*/
function mintCallAt(text, at, mintHost) {
	const found = spelled.exec(text.slice(at, at + 40));
	if (found === null) return null;
	const end = at + found[0].length;
	if (/^(?:[A-Za-z0-9_-]|(?:\\?\/|%2f)[A-Za-z0-9_{$:])/i.test(text.slice(end, end + 4))) return null;
	const written = /[^\s"'`<>()|,;\p{Cc}]*$/u.exec(text.slice(Math.max(0, at - 512), end))?.[0] ?? "";
	const whole = unescaped(written);
	if (!path.test(whole)) return null;
	return {
		...targetOf(whole, mintHost),
		start: end - written.length
	};
}
function unescaped(written) {
	return written.replace(/\\u002f|\\\//gi, "/").replace(/%(?:2f|3a|40)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))).replace(/^.*=(?=(?:https?:)?\/\/)/i, "");
}
function targetOf(whole, mintHost) {
	const own = "/api/v1/calling/token";
	const before = whole.replace(path, "");
	const [, scheme = "https", authority, rest = own] = /(?:(https?|wss?):)?\/\/([^/\\?#]*)(\/.*)$/i.exec(whole) ?? (mintHost !== void 0 && isHost(before.toLowerCase(), "https", mintHost) ? [
		"",
		"https",
		before
	] : []);
	if (authority === void 0) return {
		url: own,
		target: /(?:[}%\ufffc>]|%s|%@|\$[A-Za-z_]\w*)$/.test(before) ? "interpolated" : "relative"
	};
	const host = authority.replace(/^.*@/, "").toLowerCase();
	if (host === "" || /[{}$%<>\ufffc]/.test(host)) return {
		url: own,
		target: "interpolated"
	};
	return {
		url: `${scheme.toLowerCase()}://${host}${rest.includes("￼") ? own : rest}`,
		target: mintHost !== void 0 && isHost(host, scheme, mintHost) ? "mint" : "other"
	};
}
/** Whether a text is the address of the mint, as a client is told where its calls go. */
function isMintAddress(text, mintHost) {
	const [, scheme, host] = /^(https?):\/\/([^/?#]+)(?:[/?#]|$)/i.exec(text) ?? [];
	return scheme !== void 0 && host !== void 0 && isHost(host.toLowerCase(), scheme, mintHost);
}
function isHost(host, scheme, wanted) {
	const [name, port] = split(host);
	const [wantedName, wantedPort] = split(wanted.toLowerCase());
	const standard = /^(?:http|ws)$/i.test(scheme) ? "80" : "443";
	return name === wantedName && (wantedPort === void 0 || wantedPort === (port ?? standard));
}
function split(host) {
	const [, name = host, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host) ?? [];
	return [name.replace(/\.$/, ""), port];
}
// dist/src/audit/scan/report-token.js
var jwtText = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]*){1,3}/;
function reportJwt(audit, file, window) {
	const [jwt] = jwtText.exec(window.text.slice(window.at, window.at + 8192)) ?? [];
	if (jwt === void 0) return;
	const five = jwt.split(".");
	reportToken(audit, five.length === 4 ? five.slice(0, 3).join(".") : jwt, {
		...place(file, window, window.at),
		decoder: window.decoder
	});
}
/** Reports a JWT by what it is; what only looks like one is passed over. */
function reportToken(audit, jwt, where) {
	const candidates = jwt.split(".").length === 5 ? [jwt, jwt.split(".").slice(0, 3).join(".")] : [jwt];
	for (const text of candidates) {
		const verdict = audit.jwts.judge(text);
		if (verdict === null) continue;
		const level = verdict === "calling" ? "error" : verdict === "expired" ? "warning" : "note";
		audit.collector.report({
			rule: "AUD-010",
			kind: "jwt",
			level,
			...where,
			secret: text,
			show: text.slice(0, 3)
		});
		return;
	}
}
function reportMintCall(audit, file, window) {
	const call = mintCallAt(window.text, window.at, audit.mintHost);
	if (call === null) return;
	const where = {
		...place(file, window, call.start),
		decoder: window.decoder
	};
	reportCall(audit, call.target === "relative" && holdsHost(file.bytes, audit.mintHost ?? "￼") ? {
		...call,
		target: "interpolated"
	} : call, where);
}
var known = /* @__PURE__ */ new WeakMap();
/** Looked for once in a file, however many calls it holds. */
function holdsHost(bytes, host) {
	const before = known.get(bytes);
	if (before?.host === host) return before.isThere;
	const isThere = ["https", "http"].some((scheme) => bytes.includes(`${scheme}://${host}`));
	known.set(bytes, {
		host,
		isThere
	});
	return isThere;
}
/** An error on the mint's host, a warning on another or an unknown one, a note without one. */
function reportCall(audit, { url, target }, where) {
	audit.collector.report({
		rule: target === "mint" ? "AUD-020" : "AUD-021",
		kind: "mint-call",
		level: target === "mint" ? "error" : target === "relative" ? "note" : "warning",
		...where,
		secret: url,
		show: ""
	});
}
// dist/src/audit/scan/needles.js
var wide = ["utf-16le", "utf-16be"];
var views = ["utf-8", ...wide];
/** How the header of a JWS or JWE begins, by its first parameter, with and without a space. */
var joseHeaders = [
	"alg",
	"typ",
	"kid",
	"cty",
	"enc",
	"jku",
	"jwk",
	"x5t",
	"x5u",
	"x5c",
	"zip",
	"epk",
	"cri",
	"b64",
	"ver"
].flatMap((name) => [`{"${name}"`, `{ "${name}`]).map((text) => Buffer.from(text).toString("base64").slice(0, 8));
/** Every form in which the prefix of a key or the path of the mint endpoint is looked for. */
function needlesFor(prefix) {
	const hex = Buffer.from(prefix).toString("hex");
	const everywhere = [
		[
			"plain",
			prefix,
			0
		],
		[
			"reversed",
			[...prefix].reverse().join(""),
			0
		],
		[
			"hex",
			hex,
			0
		],
		[
			"hex",
			hex.toUpperCase(),
			0
		],
		...[
			0,
			1,
			2
		].map((shift) => ["base64", ...base64At(prefix, shift)]),
		[
			"mint-path",
			"v1/calling/token",
			0
		],
		[
			"mint-path",
			"v1\\/calling\\/token",
			0
		],
		[
			"mint-path",
			"v1%2Fcalling%2Ftoken",
			0
		],
		[
			"mint-path",
			"v1%2fcalling%2ftoken",
			0
		],
		[
			"mint-path",
			"v1\\u002Fcalling\\u002Ftoken",
			0
		],
		[
			"mint-path",
			"v1\\u002fcalling\\u002ftoken",
			0
		],
		...joseHeaders.map((text) => [
			"jwt",
			text,
			0
		])
	].map((text) => [views, ...text]);
	const escapes = escapesOf(prefix).map((text) => [
		wide,
		"escaped",
		text,
		0
	]);
	const seen = /* @__PURE__ */ new Set();
	return [...everywhere, ...escapes].flatMap(([views, form, text, phase]) => views.map((view) => ({
		bytes: encoded(text, view),
		form,
		view,
		phase
	})).filter(({ bytes }) => {
		const key = bytes.toString("latin1");
		return seen.has(key) ? false : seen.add(key) !== void 0;
	}));
}
function encoded(text, view) {
	if (view === "utf-8") return Buffer.from(text, "latin1");
	const bytes = Buffer.from(text, "utf16le");
	return view === "utf-16be" ? bytes.swap16() : bytes;
}
/** The characters that the prefix alone decides, when so many bytes stand before it in the same base64 text. */
function base64At(prefix, shift) {
	const whole = Buffer.from(`${"\0".repeat(shift)}${prefix}`).toString("base64");
	const first = Math.ceil(shift * 8 / 6);
	const last = Math.floor((shift + prefix.length) * 8 / 6);
	return [whole.slice(first, last), first % 4];
}
/** The usual ways to escape each of the characters, one of which betrays a mixture. In bytes the search knows them itself. */
function escapesOf(prefix) {
	return [...new Set(prefix)].flatMap((char) => {
		const code = char.charCodeAt(0);
		const hex = code.toString(16);
		return [
			...[hex, hex.toUpperCase()].flatMap((digits) => [
				`%${digits}`,
				`\\x${digits}`,
				`\\u00${digits}`,
				`\\u{${digits}}`,
				`&#x${digits};`
			]),
			`&#${code};`,
			`\\${code.toString(8)}`
		];
	});
}
/** The prefix with each character written plainly or in any of the usual escapes. */
function escapedPattern(prefix) {
	const chars = [...prefix].map((char) => {
		const code = char.charCodeAt(0);
		const hex = code.toString(16);
		return `(?:${char}|%${hex}|\\\\x${hex}|\\\\u00${hex}|\\\\u\\{0*${hex}\\}|\\\\${code.toString(8)}|&#x0*${hex};|&#0*${code};)`;
	});
	return new RegExp(chars.join(""), "gi");
}
// dist/src/audit/scan/kernel/bytes.js
var kernelBase64 = [
	"AGFzbQEAAAABCgFgBX9/f39/AX8DAgEABQMBAAYHEQIGbWVtb3J5AgAEbWFyawAACtQDAdEDFgF/AX8BfwF/AXsBewF7AXsBewF7",
	"AXsBewF7AXsBewF7AXsBewF7AXsBewF7QYAIIQVBD/0PIRggAv0PIREgA/0PIRIgBP0PIRNBAP0AAAAhCUEA/QAAECENQQD9AAAg",
	"IQpBAP0AADAhDkEA/QAAQCELQQD9AABQIQ9BAP0AAGAhDEEA/QAAcCEQAkADQCAAIAFPDQEgAP0AAAAhFCAA/QAAASEVIAD9AAAC",
	"IRYgAP0AAAMhFyAJIBQgGP1O/YACIA0gFEEE/W39gAL9TiAKIBUgGP1O/YACIA4gFUEE/W39gAL9Tv1OIAsgFiAY/U79gAIgDyAW",
	"QQT9bf2AAv1OIAwgFyAY/U79gAIgECAXQQT9bf2AAv1O/U79TiEZIBQgFf1RIBH9IyAVIBb9USAS/SP9TiAWIBf9USAT/SP9TiEa",
	"IBkgGv1Q/VMEQEEAIBn9CwCAASAa/WQhByAHIBlBAP0P/SP9ZEH//wNzciEGA0AgBmghCCAFIAAgCGo2AAAgBSAILQCAASAHIAh2",
	"QQFxQQh0cjYABCAFQQhqIQUgBiAGQQFrcSEGIAYNAAsLIABBEGohACAFQYCHBE0NAAsLQQAgADYAkAEgBUGACGtBA3YL"
].join("");
// dist/src/audit/scan/kernel/marker.js
/** Addresses in the kernel's memory, as its source has them. */
var resumeAt = 144;
var marksAt = 1024;
var bytesAt = 66560;
var chunk = 262144;
var margin = 32;
/** `null` where the platform has no SIMD. */
function createMarker(patterns, [d0, d1, d2] = noDifferences) {
	const module = compiled();
	if (module === null) return null;
	const kernel = new WebAssembly.Instance(module).exports;
	const memory = Buffer.from(kernel.memory.buffer);
	for (const pattern of patterns) addTo(memory, pattern);
	const marks = new Uint32Array(kernel.memory.buffer, marksAt, 16384);
	const words = new DataView(kernel.memory.buffer);
	return (bytes, visit) => {
		for (let start = 0; start < bytes.length; start += chunk) {
			const length = Math.min(bytes.length - start, chunk);
			const copied = bytes.copy(memory, bytesAt, start, start + length + margin);
			memory.fill(0, bytesAt + copied, bytesAt + copied + margin);
			for (let at = bytesAt; at < bytesAt + length; at = words.getUint32(resumeAt, true)) {
				const count = kernel.mark(at, bytesAt + length, d0, d1, d2);
				for (let mark = 0; mark < count * 2; mark += 2) {
					const address = marks[mark];
					visit(start + address - bytesAt, words.getUint32(address, true), marks[mark + 1]);
				}
			}
		}
	};
}
/** What no text has: a high bit in every other byte. */
var noDifferences = [
	128,
	128,
	128
];
/** The kernel's tables: for each of four bytes, which buckets allow a low and a high half. */
function addTo(memory, { bucket, classes }) {
	classes.forEach((allowed, place) => {
		for (const byte of allowed) for (const address of [place * 32 + (byte & 15), place * 32 + 16 + (byte >> 4)]) memory.writeUInt8(memory.readUInt8(address) | 1 << bucket, address);
	});
}
var module;
function compiled() {
	if (module !== void 0) return module;
	try {
		module = new WebAssembly.Module(Buffer.from(kernelBase64, "base64"));
	} catch {
		module = null;
	}
	return module;
}
export { keyRule as _, reportCall as a, lastPart as b, reportToken as c, lineOf as d, place as f, exceptKnown as g, createCollector as h, needlesFor as i, isMintAddress as l, defaultPrefix as m, base64At as n, reportJwt as o, keyAt as p, escapedPattern as r, reportMintCall as s, createMarker as t, mintCallAt as u, createNameCleaner as v, printable as x, inside as y };
