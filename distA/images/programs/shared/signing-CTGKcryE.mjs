import { F as JOSENotSupported, J as digest, M as encode$1, R as JWKInvalid, T as isObject, Y as encode, c as invalidKeyInput, g as validateExtractableOption, h as snapshotJwk, u as isKeyLike } from "./jws_algorithms-B54XgPsT.mjs";
import { a as algArgument, i as exportPKCS8, o as keyAlgorithm, r as exportJWK, s as unsupportedAlg, t as importPKCS8 } from "./import-BkIrB8HA.mjs";
import { createHash, createPublicKey, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
// node_modules/jose/dist/webapi/jwk/thumbprint.js
var check = (value, description) => {
	if (typeof value != "string" || !value) throw new JWKInvalid(`${description} missing or invalid`);
};
async function calculateJwkThumbprint(key, digestAlgorithm) {
	let jwk;
	if (isObject(key)) {
		if (jwk = snapshotJwk(key), typeof jwk.kty != "string") throw new TypeError(invalidKeyInput(key, "CryptoKey", "KeyObject", "JSON Web Key"));
	} else if (isKeyLike(key)) jwk = snapshotJwk(await exportJWK(key));
	else throw new TypeError(invalidKeyInput(key, "CryptoKey", "KeyObject", "JSON Web Key"));
	if (digestAlgorithm ??= "sha256", digestAlgorithm !== "sha256" && digestAlgorithm !== "sha384" && digestAlgorithm !== "sha512") throw new TypeError("digestAlgorithm must one of \"sha256\", \"sha384\", or \"sha512\"");
	let requiredMembers;
	switch (jwk.kty) {
		case "AKP":
			check(jwk.alg, "\"alg\" (Algorithm) Parameter"), check(jwk.pub, "\"pub\" (Public key) Parameter"), requiredMembers = {
				alg: jwk.alg,
				kty: jwk.kty,
				pub: jwk.pub
			};
			break;
		case "EC":
			check(jwk.crv, "\"crv\" (Curve) Parameter"), check(jwk.x, "\"x\" (X Coordinate) Parameter"), check(jwk.y, "\"y\" (Y Coordinate) Parameter"), requiredMembers = {
				crv: jwk.crv,
				kty: jwk.kty,
				x: jwk.x,
				y: jwk.y
			};
			break;
		case "OKP":
			check(jwk.crv, "\"crv\" (Subtype of Key Pair) Parameter"), check(jwk.x, "\"x\" (Public Key) Parameter"), requiredMembers = {
				crv: jwk.crv,
				kty: jwk.kty,
				x: jwk.x
			};
			break;
		case "RSA":
			check(jwk.e, "\"e\" (Exponent) Parameter"), check(jwk.n, "\"n\" (Modulus) Parameter"), requiredMembers = {
				e: jwk.e,
				kty: jwk.kty,
				n: jwk.n
			};
			break;
		case "oct":
			if (typeof jwk.k != "string") throw new JWKInvalid("\"k\" (Key Value) Parameter missing or invalid");
			requiredMembers = {
				k: jwk.k,
				kty: jwk.kty
			};
			break;
		default: throw new JOSENotSupported("\"kty\" (Key Type) Parameter missing or unsupported");
	}
	const thumbprintInput = encode(JSON.stringify(requiredMembers));
	return encode$1(await digest(digestAlgorithm, thumbprintInput));
}
// node_modules/jose/dist/webapi/key/generate_key_pair.js
function getModulusLengthOption(options) {
	const modulusLength = options?.modulusLength ?? 2048;
	if (typeof modulusLength != "number" || !Number.isInteger(modulusLength) || modulusLength < 2048) throw new JOSENotSupported("Invalid or unsupported modulusLength option provided, 2048 bits or larger keys must be used");
	return modulusLength;
}
async function generateKeyPair(alg, options) {
	const extractable = validateExtractableOption(options?.extractable), entry = keyAlgorithm(alg, algArgument);
	entry.secret && unsupportedAlg("\"alg\" (Algorithm)");
	let algorithm;
	if (entry.resolve) {
		const crv = options?.crv ?? "P-256";
		if (![
			"P-256",
			"P-384",
			"P-521",
			"X25519"
		].includes(crv)) throw new JOSENotSupported("Invalid or unsupported crv option provided, supported values are P-256, P-384, P-521, and X25519");
		algorithm = entry.resolve({ crv });
	} else {
		if (entry.crv !== void 0 && options?.crv !== void 0 && options.crv !== entry.crv) throw new JOSENotSupported(`Invalid or unsupported crv option provided, the only supported value for ${alg} is ${entry.crv}`);
		algorithm = entry.kty[0] === "RSA" ? {
			...entry.subtle,
			publicExponent: Uint8Array.of(1, 0, 1),
			modulusLength: getModulusLengthOption(options)
		} : entry.subtle;
	}
	return crypto.subtle.generateKey(algorithm, extractable ?? !1, [...entry.usages[1], ...entry.usages[0]]);
}
// dist/fixtures/mint/keys.js
/** Every server key begins with this. */
var keyPrefix = "ac_live_";
var alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
var randomCharacters = 40;
/** A new server key: the prefix and 40 random letters and digits, always with both cases of letters among them. */
function generateKey() {
	const suffix = Array.from({ length: randomCharacters }, () => alphabet.charAt(randomInt(62))).join("");
	return /[a-z]/.test(suffix) && /[A-Z]/.test(suffix) ? keyPrefix + suffix : generateKey();
}
/** Compares digests, so that the time it takes tells nothing about where two keys differ. */
function sameKey(presented, key) {
	const digest = (text) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(presented), digest(key));
}
/** 16 hex digits under which a key can be recognised without being shown; the same digits that an audit prints. */
function fingerprintOf(key) {
	return createHash("sha256").update(`twotoken\0${key}`).digest("hex").slice(0, 16);
}
// dist/fixtures/mint/signing.js
/** A new key, or the given one (PKCS#8 PEM; for an asymmetric algorithm). */
async function createSigningKey(algorithm, pem) {
	if (algorithm === "HS256") {
		const secret = randomBytes(32).toString("base64url");
		const secretKey = new TextEncoder().encode(secret);
		return {
			algorithm,
			kid: randomBytes(8).toString("hex"),
			secretKey,
			publicJwk: null,
			signWith: {
				alg: algorithm,
				secret
			}
		};
	}
	const { privateKey, publicKey } = pem === void 0 ? await generateKeyPair(algorithm, { extractable: true }) : {
		privateKey: await importPKCS8(pem, algorithm, { extractable: true }),
		publicKey: createPublicKey(pem)
	};
	const jwk = await exportJWK(publicKey);
	const kid = await calculateJwkThumbprint(jwk);
	return {
		algorithm,
		kid,
		secretKey: privateKey,
		publicJwk: {
			...jwk,
			kid,
			alg: algorithm,
			use: "sig"
		},
		signWith: {
			alg: algorithm,
			privateKey: await exportPKCS8(privateKey)
		}
	};
}
export { sameKey as a, keyPrefix as i, fingerprintOf as n, generateKey as r, createSigningKey as t };
