import { n as untilTerminated, t as settingsIn } from "./shared/settings-9US5RKAF.mjs";
import { createServer, request } from "node:http";
import { connect } from "node:tls";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
// dist/fixtures/app/relay.js
/**
* Carries one WebSocket to a server behind TLS: the upgrade request goes on as it came, but for the host, and from
* then on bytes are bytes. For development on loopback, where browsers do not know the authority.
*/
function relayUpgrade(incoming, client, head, { url, ca }) {
	const target = new URL(url);
	const server = connect({
		host: target.hostname,
		port: Number(target.port),
		ca,
		servername: "localhost"
	});
	server.once("secureConnect", () => {
		const query = new URL(incoming.url ?? "/", url).search;
		const lines = [`${incoming.method} ${target.pathname}${query} HTTP/1.1`, `host: ${target.host}`];
		for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
			const [name = "", value = ""] = incoming.rawHeaders.slice(at, at + 2);
			if (name.toLowerCase() !== "host") lines.push(`${name}: ${value}`);
		}
		server.write(`${lines.join("\r\n")}\r\n\r\n`);
		server.write(head);
		client.pipe(server).pipe(client);
	});
	server.on("error", () => client.destroy());
	server.on("close", () => client.destroy());
	client.on("error", () => server.destroy());
	client.on("close", () => server.destroy());
}
// dist/fixtures/app/server.js
var types = {
	".html": "text/html; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8",
	".map": "application/json"
};
var commonHeaders = {
	"cache-control": "no-store",
	"referrer-policy": "no-referrer",
	"x-content-type-options": "nosniff"
};
var api = "/api";
/** The web server of the app: serves the built page and passes its API calls on to the backend. */
async function startApp(options) {
	const { signaling, host = "127.0.0.1", port = 0 } = options;
	const server = createServer();
	const ownUrl = `http://${host}:${await listening(server, host, port)}`;
	const url = options.publicUrl ?? ownUrl;
	const signalingUrl = signaling.ca === void 0 ? signaling.url : `${url.replace("http", "ws")}/signaling`;
	const settings = {
		apiUrl: url + api,
		signalingUrl,
		demoUsers: options.demoUsers ?? [],
		...options.proof
	};
	server.on("request", (incoming, response) => {
		respond(incoming, response, options, settings).catch(() => response.destroy());
	});
	server.on("upgrade", (incoming, socket, head) => {
		if (signaling.ca === void 0 || pathOf(incoming) !== "/signaling") socket.destroy();
		else relayUpgrade(incoming, socket, head, {
			url: signaling.url,
			ca: signaling.ca
		});
	});
	return {
		url,
		tokenUrl: `${settings.apiUrl}/calling/token`,
		signalingUrl,
		async [Symbol.asyncDispose]() {
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		}
	};
}
async function respond(incoming, response, options, settings) {
	const path = pathOf(incoming);
	if (path.startsWith(`${api}/`)) return pass(incoming, response, options.backendUrl);
	if (path === "/config.json") return answer(response, 200, ".json", JSON.stringify(settings));
	const name = path === "/" ? "index.html" : path.slice(1);
	const content = /^(assets\/)?[\w-]+(\.[\w-]+)+$/.test(name) ? await readFile(join(options.folder, name)).catch(() => null) : null;
	if (content === null) return answer(response, 404, ".json", "{\"error\":\"there is nothing at this path\"}");
	const policy = options.proof === void 0 ? { "content-security-policy": contentPolicy(settings) } : {};
	answer(response, 200, extname(name), content, policy);
}
/** The page speaks to its own origin and to signaling, and to nobody else. */
function contentPolicy({ signalingUrl }) {
	const { origin } = new URL(signalingUrl);
	return [
		"default-src 'self'",
		`connect-src 'self' ${origin} wss://signaling.calling.example`,
		"img-src 'self' data:",
		"frame-ancestors 'none'",
		"base-uri 'none'",
		"form-action 'none'"
	].join("; ");
}
function answer(response, status, extension, content, headers = {}) {
	const type = types[extension] ?? "application/json";
	response.writeHead(status, {
		...commonHeaders,
		...headers,
		"content-type": type
	}).end(content);
}
/** One call of the API, with everything but its connection left as it is. */
function pass(incoming, response, backendUrl) {
	const target = new URL(backendUrl);
	const { connection: _, host: __, ...headers } = incoming.headers;
	const outgoing = request({
		host: target.hostname,
		port: target.port,
		method: incoming.method,
		path: (incoming.url ?? "").slice(4),
		headers
	});
	outgoing.on("response", (answered) => {
		response.writeHead(answered.statusCode ?? 502, answered.headers);
		answered.pipe(response);
	});
	outgoing.on("error", () => {
		if (!response.headersSent) answer(response, 502, ".json", "{\"error\":\"the backend cannot be reached\"}");
		else response.destroy();
	});
	response.on("close", () => outgoing.destroy());
	incoming.pipe(outgoing);
}
function pathOf({ url = "/" }) {
	return url.split("?", 1)[0] ?? "/";
}
function listening(server, host, port) {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, host, () => resolve(server.address().port));
	});
}
// dist/fixtures/app/main.js
var settings = settingsIn(process.env);
var users = JSON.parse(settings.text("USERS", "[]"));
await untilTerminated("app", () => startApp({
	folder: join(import.meta.dirname, "public"),
	backendUrl: settings.text("BACKEND_URL"),
	signaling: {
		url: settings.text("SIGNALING_URL"),
		ca: settings.text("SIGNALING_CA")
	},
	demoUsers: users.map(({ name, password }) => ({
		name,
		password
	})),
	publicUrl: settings.text("PUBLIC_URL"),
	host: settings.host,
	port: settings.port("PORT")
}));
export {};
