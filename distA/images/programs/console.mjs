import { n as untilTerminated, t as settingsIn } from "./shared/settings-9US5RKAF.mjs";
import { i as failed, r as answerApi, t as remoteApi } from "./shared/admin-RE9loZOs.mjs";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
// dist/fixtures/console/server.js
var pages = {
	"/": {
		file: "index.html",
		type: "text/html; charset=utf-8"
	},
	"/console.css": {
		file: "console.css",
		type: "text/css; charset=utf-8"
	},
	"/console.js": {
		file: "console.js",
		type: "text/javascript; charset=utf-8"
	}
};
var commonHeaders = {
	"cache-control": "no-store",
	"content-security-policy": "default-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
	"referrer-policy": "no-referrer",
	"x-content-type-options": "nosniff"
};
var bodyLimitBytes = 16384;
/** The developer console of a mint: a page, and the API that the page uses. */
async function startConsole(options) {
	const { host = "127.0.0.1", port = 0 } = options;
	const api = "api" in options ? options.api : (method, path, body) => answerApi(options.mint, method, path, body);
	const server = createServer((incoming, response) => {
		respond(api, incoming, response).catch(() => response.destroy());
	});
	await new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, resolve);
	});
	return {
		url: `http://${host}:${server.address().port}`,
		async [Symbol.asyncDispose]() {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		}
	};
}
async function respond(api, incoming, response) {
	const { method = "" } = incoming;
	const [path = "/"] = (incoming.url ?? "/").split("?");
	const page = pages[path];
	if (page !== void 0 && (method === "GET" || method === "HEAD")) {
		const content = await readFile(new URL(`page/${page.file}`, import.meta.url));
		response.writeHead(200, {
			...commonHeaders,
			"content-type": page.type
		}).end(content);
		return;
	}
	const { status, value } = await apiReply(api, incoming, method, path);
	response.writeHead(status, {
		...commonHeaders,
		"content-type": "application/json"
	});
	response.end(JSON.stringify(value));
}
async function apiReply(api, incoming, method, path) {
	if (isForeign(incoming)) return failed(403, "foreign_origin", "only the console itself may call its API");
	if (method === "GET") return await api(method, path, void 0);
	if (!/^application\/json\b/i.test(incoming.headers["content-type"] ?? "")) return failed(415, "unsupported_media_type", "the body must be application/json");
	const text = await bodyOf(incoming);
	if (text === null) return failed(413, "body_too_large", `the body must not exceed ${bodyLimitBytes} bytes`);
	const body = parsed(text);
	if (body === void 0) return failed(400, "malformed_json", "the body is not JSON");
	return await api(method, path, body);
}
function isForeign({ headers }) {
	const { origin, host } = headers;
	return origin !== void 0 && (!URL.canParse(origin) || new URL(origin).host !== host);
}
async function bodyOf(incoming) {
	const chunks = [];
	let size = 0;
	for await (const chunk of incoming) {
		size += chunk.byteLength;
		if (size <= bodyLimitBytes) chunks.push(chunk);
	}
	return size <= bodyLimitBytes ? Buffer.concat(chunks).toString("utf8") : null;
}
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
// dist/fixtures/console/main.js
var settings = settingsIn(process.env);
await untilTerminated("console", () => startConsole({
	api: remoteApi(settings.text("ADMIN_URL"), settings.text("CONSOLE_TOKEN")),
	host: settings.host,
	port: settings.port("PORT")
}));
export {};
