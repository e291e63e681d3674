import { timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
// dist/fixtures/mint/refusal.js
/** Why no token is issued; any hook of the policy may throw it, and the policy's `refuse` words the answer. */
var Refusal = class extends Error {
	name = "Refusal";
	status;
	code;
	headers;
	constructor(status, code, message, headers = {}) {
		super(message);
		this.status = status;
		this.code = code;
		this.headers = headers;
	}
};
// dist/fixtures/console/api.js
var longestName = 80;
/** The console's JSON API: `/api/projects`, and under a project's id its `keys` and `tokens`. */
async function answerApi(mint, method, path, body) {
	const [, projectId, part] = /^\/api\/projects(?:\/([^/]+)\/(keys|tokens))?$/.exec(path) ?? [];
	const fields = typeof body === "object" && body !== null ? body : {};
	try {
		if (path === "/api/projects" && method === "GET") return {
			status: 200,
			value: listed(mint)
		};
		if (path === "/api/projects" && method === "POST") return {
			status: 201,
			value: shown(mint, mint.projects.create({ name: nameIn(fields) }))
		};
		const project = projectId === void 0 ? void 0 : mint.projects.find(projectId);
		if (project === void 0) return failed(404, "not_found", "there is no such project or page");
		if (method !== "POST") return failed(405, "method_not_allowed", "this path takes POST");
		return {
			status: 201,
			value: await (part === "keys" ? newKey : newToken)(mint, project, fields)
		};
	} catch (error) {
		if (error instanceof Refusal) return failed(error.status, error.code, error.message);
		throw error;
	}
}
function failed(status, code, message) {
	return {
		status,
		value: { error: {
			code,
			message
		} }
	};
}
function listed(mint) {
	return { projects: mint.projects.list().map((project) => shown(mint, project)) };
}
/** A project as the page shows it; of its keys only the labels. */
function shown({ projects }, project) {
	const keys = projects.keys().filter((key) => key.project === project);
	return {
		...project,
		keys: keys.map(({ label }) => label)
	};
}
/** The one answer that ever holds a key. */
async function newKey({ projects }, project, fields) {
	const { key, label } = projects.createKey(project, nameIn(fields));
	return {
		key,
		label
	};
}
async function newToken(mint, project, fields) {
	const { userId, ttlSeconds } = fields;
	const { token, grant } = await mint.issue({
		project,
		userId,
		...ttlSeconds === void 0 ? {} : { ttlSeconds }
	});
	return {
		token,
		userId: grant.userId,
		expiresIn: grant.lifetimeSeconds
	};
}
function nameIn({ name }) {
	const text = typeof name === "string" ? name.trim() : "";
	if (text === "" || text.length > longestName) throw new Refusal(400, "invalid_name", `name must be a text of 1 to ${longestName} characters`);
	return text;
}
// dist/fixtures/console/admin.js
async function startAdmin({ mint, token, host, port }) {
	const server = createServer((incoming, response) => {
		answered(mint, token, incoming).then(({ status, value }) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value))).catch(() => response.destroy());
	});
	await new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, resolve);
	});
	return { async [Symbol.asyncDispose]() {
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	} };
}
/** Asks the mint behind an admin address. */
function remoteApi(adminUrl, token) {
	return async (method, path, body) => {
		const response = await fetch(adminUrl + path, {
			method,
			headers: { authorization: `Bearer ${token}` },
			...body === void 0 ? {} : { body: JSON.stringify(body) },
			signal: AbortSignal.timeout(5e3)
		});
		return {
			status: response.status,
			value: await response.json()
		};
	};
}
async function answered(mint, token, incoming) {
	const { method = "", url = "/", headers } = incoming;
	const chunks = [];
	for await (const chunk of incoming) chunks.push(chunk);
	if (!isSame(headers.authorization ?? "", `Bearer ${token}`)) return failed(401, "unauthorized", "only the console may call this");
	const text = Buffer.concat(chunks).toString("utf8");
	return await answerApi(mint, method, url, text === "" ? void 0 : JSON.parse(text));
}
function isSame(given, expected) {
	const [left, right] = [Buffer.from(given), Buffer.from(expected)];
	return left.length === right.length && timingSafeEqual(left, right);
}
export { Refusal as a, failed as i, startAdmin as n, answerApi as r, remoteApi as t };
