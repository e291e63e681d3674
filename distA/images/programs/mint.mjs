import { a as Refusal, n as startAdmin } from "./shared/admin-RE9loZOs.mjs";
import { n as untilTerminated, t as settingsIn } from "./shared/settings-9US5RKAF.mjs";
import { t as CompactSign } from "./shared/sign-C4rUbbKk.mjs";
import { a as sameKey, i as keyPrefix, n as fingerprintOf, r as generateKey, t as createSigningKey } from "./shared/signing-CTGKcryE.mjs";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createServer as createServer$1 } from "node:https";
// dist/fixtures/mint/policy.js
var mintPath = "/api/v1/calling/token";
var longestUserId = 1024;
var referenceMintPolicy = {
	path: mintPath,
	methods: ["POST"],
	bodyLimitBytes: 65536,
	algorithm: "ES256",
	ttl: {
		defaultSeconds: 900,
		floorSeconds: 1,
		ceilingSeconds: 3600
	},
	now: () => Date.now(),
	presentedKey: (request) => /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? null,
	keyMatches: sameKey,
	admit,
	fields: jsonFields,
	userId(value) {
		if (typeof value !== "string" || value === "" || !value.isWellFormed() || value.length > longestUserId) throw new Refusal(400, "invalid_user_id", `userId must be a string of 1 to ${longestUserId} characters`);
		return value;
	},
	lifetime(asked, ttl) {
		if (asked === void 0) return ttl.defaultSeconds;
		if (typeof asked !== "number" || !Number.isInteger(asked)) throw new Refusal(400, "invalid_ttl", "ttlSeconds must be a whole number of seconds");
		return Math.min(Math.max(asked, ttl.floorSeconds), ttl.ceilingSeconds);
	},
	claims: (grant, { issuedAt, expiresAt }, tools) => ({
		iss: tools.url,
		aud: "calling",
		sub: grant.userId,
		project: grant.project.id,
		jti: crypto.randomUUID(),
		iat: issuedAt,
		exp: expiresAt
	}),
	header: ({ algorithm, kid }) => ({
		alg: algorithm,
		kid,
		typ: "JWT"
	}),
	token: (claims, header, signing) => new CompactSign(new TextEncoder().encode(JSON.stringify(claims))).setProtectedHeader(header).sign(signing.secretKey),
	success: (token, grant) => jsonAnswer(200, {
		token,
		expiresIn: grant.lifetimeSeconds
	}),
	refuse: ({ status, code, message, headers }) => jsonAnswer(status, { error: {
		code,
		message
	} }, headers),
	jwks: ({ publicJwk }) => ({ keys: publicJwk === null ? [] : [publicJwk] }),
	answer: (answer) => answer
};
/** A JSON answer that no cache may keep. */
function jsonAnswer(status, value, headers = {}) {
	return {
		status,
		headers: {
			"content-type": "application/json",
			"cache-control": "no-store",
			...headers
		},
		body: JSON.stringify(value)
	};
}
function admit({ state, remainingMints }) {
	if (state === "trial-ended") throw new Refusal(402, "trial_ended", "the trial of this project has ended");
	if (state === "suspended") throw new Refusal(403, "project_suspended", "this project is suspended");
	if (remainingMints === 0) throw new Refusal(429, "mint_cap_reached", "the trial mint cap of this project is reached", { "retry-after": "3600" });
}
function jsonFields({ headers, body }) {
	if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? "")) throw new Refusal(415, "unsupported_media_type", "the body must be application/json");
	const value = parsed(body ?? "");
	if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Refusal(400, "malformed_json", "the body must be a JSON object");
	return value;
}
function parsed(body) {
	try {
		return JSON.parse(body);
	} catch {
		throw new Refusal(400, "malformed_json", "the body is not JSON");
	}
}
// dist/fixtures/mint/answering.js
var jwksPath = "/.well-known/jwks.json";
/** Answers one request; whatever fails in it is worded by the policy. */
async function handle(request, mint) {
	const { policy, signing, issuer } = mint;
	try {
		const keySet = isKeySetRequest(request) ? policy.jwks(signing) : null;
		if (keySet !== null) return jsonAnswer(200, keySet);
		checkRoute(request, policy);
		const project = authenticatedProject(request, mint);
		const { token, grant } = await issuer.issue({
			...policy.fields(request),
			project
		});
		return await policy.success(token, grant, issuer.tools);
	} catch (error) {
		if (error instanceof Refusal) return policy.refuse(error, request, issuer.tools);
		return jsonAnswer(500, { error: {
			code: "internal",
			message: "the mint failed"
		} });
	}
}
function isKeySetRequest({ method, url }) {
	return method === "GET" && url.pathname === "/.well-known/jwks.json";
}
function checkRoute({ method, url, body }, policy) {
	if (url.pathname !== policy.path) throw new Refusal(404, "not_found", "there is nothing at this path");
	if (!policy.methods.includes(method)) {
		const allow = policy.methods.join(", ");
		throw new Refusal(405, "method_not_allowed", `this path takes ${allow}`, { allow });
	}
	if (body === null) throw new Refusal(413, "body_too_large", `the body must not exceed ${policy.bodyLimitBytes} bytes`);
}
function authenticatedProject(request, { policy, projects }) {
	const challenge = { "www-authenticate": "Bearer" };
	const presented = policy.presentedKey(request);
	if (presented === null) throw new Refusal(401, "missing_key", "an API key is needed", challenge);
	const matches = ({ key }) => policy.keyMatches(presented, key);
	const found = projects.keys().find(matches);
	if (found === void 0) throw new Refusal(401, "invalid_key", "this API key is not valid", challenge);
	return found.project;
}
// dist/fixtures/mint/issuing.js
function createIssuer(policy, signing, url) {
	const sign = (grant) => {
		const issuedAt = Math.floor(policy.now() / 1e3);
		const expiresAt = issuedAt + grant.lifetimeSeconds;
		const claims = policy.claims(grant, {
			issuedAt,
			expiresAt
		}, tools);
		return policy.token(claims, policy.header(signing), signing, grant);
	};
	const unlimited = {
		id: "prj_unlimited",
		name: "unlimited",
		state: "active",
		remainingMints: null
	};
	const tools = {
		url,
		signing,
		issueFreely: async (userId) => sign({
			userId,
			lifetimeSeconds: policy.lifetime(void 0, policy.ttl),
			project: unlimited
		})
	};
	return {
		tools,
		async issue({ project, userId, ttlSeconds }) {
			policy.admit(project);
			const grant = {
				userId: policy.userId(userId),
				lifetimeSeconds: policy.lifetime(ttlSeconds, policy.ttl),
				project
			};
			if (project.remainingMints !== null) project.remainingMints = Math.max(0, project.remainingMints - 1);
			return {
				token: await sign(grant),
				grant
			};
		}
	};
}
// dist/fixtures/mint/projects.js
function createProjects() {
	const projects = [];
	const keys = [];
	return {
		create({ name, state = "active", remainingMints = null }) {
			const project = {
				id: `prj_${randomUUID()}`,
				name,
				state,
				remainingMints
			};
			projects.push(project);
			return project;
		},
		find: (id) => projects.find((project) => project.id === id),
		list: () => projects,
		createKey(project, name, key = generateKey()) {
			const created = {
				key,
				project,
				label: {
					id: `key_${randomUUID()}`,
					name,
					prefix: keyPrefix,
					characters: key.length,
					fingerprint: fingerprintOf(key),
					createdAt: (/* @__PURE__ */ new Date()).toISOString()
				}
			};
			keys.push(created);
			return created;
		},
		keys: () => keys
	};
}
// dist/fixtures/mint/server.js
/** The keys that a mint starts with, each of a project of its own; `trial` may mint three times. */
var seeds = {
	active: { name: "Main" },
	otherProject: { name: "Other" },
	trial: {
		name: "On trial",
		remainingMints: 3
	},
	trialEnded: {
		name: "Trial ended",
		state: "trial-ended"
	},
	suspended: {
		name: "Suspended",
		state: "suspended"
	},
	capped: {
		name: "At its cap",
		remainingMints: 0
	}
};
var requestMs = 3e4;
async function startMint({ policy = referenceMintPolicy, host = "127.0.0.1", port = 0, tls, keys: given = {}, signingKey, publicUrl } = {}) {
	const signing = await createSigningKey(policy.algorithm, signingKey);
	const projects = createProjects();
	const keys = seedKeys(projects, given);
	const server = tls === void 0 ? createServer({ requestTimeout: requestMs }) : createServer$1({
		...tls,
		requestTimeout: requestMs
	});
	const listened = `${tls === void 0 ? "http" : "https"}://${host}:${await listening(server, host, port)}`;
	const url = publicUrl ?? listened;
	const mint = {
		policy,
		signing,
		projects,
		issuer: createIssuer(policy, signing, url)
	};
	server.on("request", (incoming, response) => {
		respond(incoming, response, mint).catch(() => response.destroy());
	});
	return {
		url,
		jwksUrl: url + jwksPath,
		keys,
		signWith: signing.signWith,
		projects,
		issue: mint.issuer.issue,
		async [Symbol.asyncDispose]() {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		}
	};
}
async function respond(incoming, response, mint) {
	const { policy, issuer } = mint;
	const body = await bodyOf(incoming, policy.bodyLimitBytes);
	const request = requestOf(incoming, issuer.tools.url, body);
	const answer = await policy.answer(await handle(request, mint), request, issuer.tools);
	response.writeHead(answer.status, {
		date: new Date(policy.now()).toUTCString(),
		...answer.headers
	});
	response.end(answer.body);
}
function requestOf(incoming, base, body) {
	const { method = "", url = "/", headers } = incoming;
	const joined = Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(", ")]);
	return {
		method,
		url: new URL(URL.canParse(url, base) ? url : "/", base),
		headers: Object.fromEntries(joined),
		body
	};
}
/** `null` where it is too large: the rest is then read and dropped, so that the peer gets to read the answer. */
async function bodyOf(incoming, limitBytes) {
	const chunks = [];
	let size = 0;
	for await (const chunk of incoming) {
		size += chunk.byteLength;
		if (size <= limitBytes) chunks.push(chunk);
	}
	return size <= limitBytes ? Buffer.concat(chunks).toString("utf8") : null;
}
function seedKeys(projects, given) {
	const keyOf = (name) => projects.createKey(projects.create(seeds[name]), "first", given[name]).key;
	return {
		active: keyOf("active"),
		otherProject: keyOf("otherProject"),
		trial: keyOf("trial"),
		trialEnded: keyOf("trialEnded"),
		suspended: keyOf("suspended"),
		capped: keyOf("capped")
	};
}
function listening(server, host, port) {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => resolve(server.address().port));
	});
}
// dist/fixtures/mint/main.js
var __addDisposableResource = function(env, value, async) {
	if (value !== null && value !== void 0) {
		if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
		var dispose, inner;
		if (async) {
			if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
			dispose = value[Symbol.asyncDispose];
		}
		if (dispose === void 0) {
			if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
			dispose = value[Symbol.dispose];
			if (async) inner = dispose;
		}
		if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
		if (inner) dispose = function() {
			try {
				inner.call(this);
			} catch (e) {
				return Promise.reject(e);
			}
		};
		env.stack.push({
			value,
			dispose,
			async
		});
	} else if (async) env.stack.push({ async: true });
	return value;
};
var __disposeResources = (function(SuppressedError) {
	return function(env) {
		function fail(e) {
			env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
			env.hasError = true;
		}
		var r, s = 0;
		function next() {
			while (r = env.stack.pop()) try {
				if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
				if (r.dispose) {
					var result = r.dispose.call(r.value);
					if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) {
						fail(e);
						return next();
					});
				} else s |= 1;
			} catch (e) {
				fail(e);
			}
			if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
			if (env.hasError) throw env.error;
		}
		return next();
	};
})(typeof SuppressedError === "function" ? SuppressedError : function(error, suppressed, message) {
	var e = new Error(message);
	return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
var settings = settingsIn(process.env);
var { host } = settings;
await untilTerminated("mint", async () => {
	const env_1 = {
		stack: [],
		error: void 0,
		hasError: false
	};
	try {
		const parts = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
		const keys = JSON.parse(settings.text("MINT_KEYS", "{}"));
		const signingKey = settings.optional("SIGNING_KEY");
		const mint = parts.use(await startMint({
			host,
			port: settings.port("PORT"),
			keys,
			publicUrl: settings.text("PUBLIC_URL", "http://mint:8080"),
			...signingKey === void 0 ? {} : { signingKey }
		}));
		const token = settings.optional("CONSOLE_TOKEN");
		if (token !== void 0) parts.use(await startAdmin({
			mint,
			token,
			host,
			port: settings.port("ADMIN_PORT")
		}));
		return parts.move();
	} catch (e_1) {
		env_1.error = e_1;
		env_1.hasError = true;
	} finally {
		const result_1 = __disposeResources(env_1);
		if (result_1) await result_1;
	}
});
export {};
