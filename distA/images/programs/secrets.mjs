import { t as demoUsers } from "./shared/seeds-DeeDvJga.mjs";
import { r as generateKey, t as createSigningKey } from "./shared/signing-CTGKcryE.mjs";
import { t as settingsIn } from "./shared/settings-9US5RKAF.mjs";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { existsSync } from "node:fs";
import { isIPv4, isIPv6 } from "node:net";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
// dist/src/tls/der.js
/** Just enough of ITU-T X.690 (DER) to write a certificate. Every function returns one whole element. */
var tags = {
	integer: 2,
	bits: 3,
	octets: 4,
	identifier: 6,
	utf8: 12,
	sequence: 48,
	set: 49
};
var sequence = (...items) => element(tags.sequence, ...items);
var set = (...items) => element(tags.set, ...items);
var octets = (content) => element(tags.octets, content);
var utf8 = (text) => element(tags.utf8, Buffer.from(text));
var boolean = (value) => element(1, Buffer.of(value ? 255 : 0));
/** A bit string; `unused` bits at the end of the last byte do not count. */
var bits = (content, unused = 0) => element(tags.bits, Buffer.of(unused), content);
/** An integer from its big-endian magnitude: never negative, and as short as it can be. */
function integer(magnitude) {
	const first = magnitude.findIndex((byte) => byte !== 0);
	const bytes = first === -1 ? Buffer.of(0) : magnitude.subarray(first);
	return element(tags.integer, ...(bytes[0] ?? 0) >= 128 ? [Buffer.of(0), bytes] : [bytes]);
}
/** An object identifier from its dotted form. */
function identifier(dotted) {
	const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
	return element(tags.identifier, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}
/** A point in time between 1950 and 2049 as UTCTime, any other as GeneralizedTime (RFC 5280, 4.1.2.5). */
function time(at) {
	const digits = `${at.toISOString().replace(/\D/g, "").slice(0, 14)}Z`;
	return at.getUTCFullYear() >= 1950 && at.getUTCFullYear() < 2050 ? element(23, Buffer.from(digits.slice(2))) : element(24, Buffer.from(digits));
}
/** A context-specific element: constructed where it wraps others, primitive where it replaces one's tag. */
function context(number, form, content) {
	return element((form === "constructed" ? 160 : 128) + number, content);
}
function element(tag, ...contents) {
	const content = Buffer.concat(contents);
	if (content.length < 128) return Buffer.concat([Buffer.of(tag, content.length), content]);
	const length = [];
	for (let rest = content.length; rest > 0; rest >>>= 8) length.unshift(rest & 255);
	return Buffer.concat([Buffer.of(tag, 128 + length.length, ...length), content]);
}
function base128(arc) {
	const digits = [arc & 127];
	for (let rest = arc >>> 7; rest > 0; rest >>>= 7) digits.unshift(rest & 127 | 128);
	return digits;
}
// dist/src/tls/certificates.js
var dayMs$1 = 864e5;
var ecdsaWithSha256 = sequence(identifier("1.2.840.10045.4.3.2"));
/** Makes an authority with a new key on P-256, valid from a day ago for 30 days. */
function createAuthority(commonName = "twotoken throwaway CA") {
	const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const issuer = nameOf(`${commonName} ${randomBytes(4).toString("hex")}`);
	const now = Date.now();
	const certificate = signed({
		issuer,
		subject: issuer,
		publicKey: keys.publicKey,
		issuerKey: keys.privateKey,
		validity: sequence(time(/* @__PURE__ */ new Date(now - dayMs$1)), time(new Date(now + 30 * dayMs$1))),
		extensions: [extension("2.5.29.19", true, sequence(boolean(true))), extension("2.5.29.15", true, bits(Buffer.of(6), 1))]
	});
	const certify = (publicKey, { names, ...validity }) => {
		const { validFrom = /* @__PURE__ */ new Date(now - dayMs$1), validTo = new Date(Date.now() + dayMs$1) } = validity;
		return signed({
			issuer,
			subject: nameOf(names[0] ?? "nameless"),
			publicKey,
			issuerKey: keys.privateKey,
			validity: sequence(time(validFrom), time(validTo)),
			extensions: [
				extension("2.5.29.19", true, sequence()),
				extension("2.5.29.15", true, bits(Buffer.of(128), 7)),
				extension("2.5.29.37", false, sequence(identifier("1.3.6.1.5.5.7.3.1"))),
				extension("2.5.29.17", false, sequence(...names.map(alternativeName))),
				extension("2.5.29.35", false, sequence(context(0, "primitive", keyIdOf(keys.publicKey))))
			]
		});
	};
	return {
		certificate,
		certify,
		issue(wanted) {
			const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
			const key = own.privateKey.export({
				type: "pkcs8",
				format: "pem"
			}).toString();
			return {
				cert: certify(own.publicKey, wanted),
				key
			};
		}
	};
}
/** RFC 5280, 4.1: what is to be signed, the algorithm, the signature; as PEM. */
function signed({ issuer, subject, publicKey, issuerKey, validity, extensions }) {
	const keyId = extension("2.5.29.14", false, octets(keyIdOf(publicKey)));
	const body = sequence(context(0, "constructed", integer(Buffer.of(2))), integer(randomBytes(16)), ecdsaWithSha256, issuer, validity, subject, publicKey.export({
		type: "spki",
		format: "der"
	}), context(3, "constructed", sequence(...extensions, keyId)));
	return [
		"-----BEGIN CERTIFICATE-----",
		...sequence(body, ecdsaWithSha256, bits(sign("sha256", body, issuerKey))).toString("base64").match(/.{1,64}/g) ?? [],
		"-----END CERTIFICATE-----",
		""
	].join("\n");
}
function nameOf(commonName) {
	return sequence(set(sequence(identifier("2.5.4.3"), utf8(commonName))));
}
function extension(id, critical, value) {
	return sequence(identifier(id), ...critical ? [boolean(true)] : [], octets(value));
}
function keyIdOf(publicKey) {
	return createHash("sha256").update(publicKey.export({
		type: "spki",
		format: "der"
	})).digest().subarray(0, 20);
}
function alternativeName(name) {
	if (isIPv4(name)) return context(7, "primitive", Buffer.from(name.split(".").map(Number)));
	if (isIPv6(name)) return context(7, "primitive", ipv6Bytes(name));
	return context(2, "primitive", Buffer.from(name));
}
function ipv6Bytes(address) {
	const groups = (part) => part === "" ? [] : part.split(":");
	const [head = "", tail] = address.split("::");
	const after = groups(tail ?? "");
	const missing = tail === void 0 ? 0 : 8 - groups(head).length - after.length;
	const all = [
		...groups(head),
		...Array.from({ length: missing }, () => "0"),
		...after
	];
	return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
// dist/fixtures/images/secrets.js
var certificateDays = 29;
var dayMs = 864e5;
/** `names` are those under which signaling is reached. */
async function createStackSecrets(names) {
	const authority = createAuthority();
	const { signWith } = await createSigningKey("ES256");
	if (!("privateKey" in signWith)) throw new TypeError("ES256 has a private key");
	const session = () => `sess_${randomBytes(24).toString("base64url")}`;
	return {
		keys: {
			active: generateKey(),
			otherProject: generateKey(),
			trial: generateKey(),
			trialEnded: generateKey(),
			suspended: generateKey(),
			capped: generateKey()
		},
		signingKey: signWith.privateKey,
		sessions: {
			alice: session(),
			aliceSecondDevice: session(),
			bob: session(),
			expired: session(),
			signedOut: session()
		},
		users: demoUsers(),
		consoleToken: randomBytes(24).toString("base64url"),
		ca: authority.certificate,
		signalingTls: authority.issue({
			names,
			validTo: new Date(Date.now() + certificateDays * dayMs)
		})
	};
}
// dist/fixtures/images/write-secrets.js
var root = settingsIn(process.env).text("SECRETS");
if (existsSync(join(root, "mint/keys.json"))) console.log("the secrets are there");
else {
	const { keys, signingKey, sessions, users, consoleToken, ca, signalingTls } = await createStackSecrets([
		"localhost",
		"127.0.0.1",
		"signaling"
	]);
	const files = {
		"backend/api-key": keys.active,
		"backend/sessions.json": JSON.stringify(sessions),
		"backend/users.json": JSON.stringify(users),
		"app/users.json": JSON.stringify(users),
		"app/ca.pem": ca,
		"signaling/cert.pem": signalingTls.cert,
		"signaling/key.pem": signalingTls.key,
		"console/token": consoleToken,
		"mint/console-token": consoleToken,
		"mint/signing-key.pem": signingKey,
		"conformance/ca.pem": ca,
		"conformance/signing-key.pem": signingKey,
		...prefixed("conformance/keys/", keys),
		...prefixed("conformance/sessions/", sessions),
		"mint/keys.json": JSON.stringify(keys)
	};
	for (const [name, content] of Object.entries(files)) {
		const file = join(root, name);
		await mkdir(join(file, ".."), { recursive: true });
		await writeFile(file, content, { mode: 384 });
	}
	console.log("the secrets are made");
}
function prefixed(prefix, values) {
	return Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));
}
export {};
