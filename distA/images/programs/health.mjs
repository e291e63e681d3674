import { t as settingsIn } from "./shared/settings-9US5RKAF.mjs";
import { request } from "node:http";
import { request as request$1 } from "node:https";
// dist/fixtures/images/health.js
var settings = settingsIn(process.env);
var target = {
	host: "127.0.0.1",
	port: settings.port("PORT"),
	path: "/",
	timeout: 1500
};
var cert = settings.optional("TLS_CERT");
var request$2 = cert === void 0 ? request(target) : request$1({
	...target,
	ca: cert,
	allowPartialTrustChain: true,
	servername: ""
});
request$2.once("response", () => process.exit(0));
request$2.once("timeout", () => process.exit(1));
request$2.once("error", () => process.exit(1));
request$2.end();
export {};
