import { a as filesIn, c as modelOf, i as createReader, l as observedModel, n as createClaims, o as createAudit, r as auditOnDisk, s as nothingSpent } from "./audit-claims.js";
import { x as printable } from "./audit-marker.js";
import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { TwotokenError } from "../errors.js";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
// dist/src/audit/threads/second-thread.js
var program = join(import.meta.dirname, `second-thread.worker${extname(import.meta.filename)}`);
function startSecondThread(task) {
	const worker = new Worker(program, { workerData: task });
	const answer = new Promise((resolve) => {
		worker.once("message", (found) => resolve(found));
		worker.once("error", () => resolve(null));
		worker.once("exit", () => resolve(null));
	});
	return {
		found: () => answer,
		async [Symbol.asyncDispose]() {
			await worker.terminate();
		}
	};
}
// dist/src/audit/threads/turns.js
/** When so much was read and as many files are left, a second thread is worth its start. */
var worthBytes = 25165824;
var worthFiles = 8;
/**
* Gives out files from the first to the last. Where they are many, a second thread takes small ones that are no archives
* from the end of the list, so that memory does not double; what is reported is the same.
*/
function createTurns(audit, files, settings) {
	const claims = createClaims(files);
	let second = null;
	const isWorth = (index) => second === null && audit.spent.bytes >= worthBytes && files.length - index >= worthFiles && availableParallelism() > 1 && settings.nowSeconds === void 0;
	return {
		async *files() {
			for (const [index, file] of files.entries()) {
				if (isWorth(index)) second = startSecondThread({
					files,
					claims: claims.states,
					settings: shared(settings)
				});
				if (claims.takeFirst(index)) yield file;
			}
			const found = await second?.found();
			if (found !== null && found !== void 0) {
				audit.collector.add(found);
				audit.spent.entries += found.entries;
				audit.spent.bytes += found.bytes;
			}
			const left = found === null ? claims.ofSecond() : claims.left();
			for (const index of left) {
				const file = files[index];
				if (file !== void 0) yield file;
			}
		},
		async [Symbol.asyncDispose]() {
			await second?.[Symbol.asyncDispose]();
		}
	};
}
function shared({ onProgress: _, ...settings }) {
	return settings;
}
// dist/src/audit/audit.js
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
/**
* Audits files and folders. Nothing is written and nothing is executed.
* @throws TwotokenError `usage` for a path that does not exist
*/
async function auditPaths(paths, directory, settings = {}) {
	const audit = createAudit(settings);
	for (const path of paths) await assertExists(resolve(directory, path), path);
	const audited = [];
	const read = createReader();
	for (const path of paths) {
		const env_1 = {
			stack: [],
			error: void 0,
			hasError: false
		};
		try {
			const begun = performance.now();
			Object.assign(audit.spent, nothingSpent);
			const root = await realpath(resolve(directory, path));
			const gap = (location, reason) => audit.collector.gap("opaque", printable(location), reason);
			const turns = __addDisposableResource(env_1, createTurns(audit, [...filesIn(root, path, gap)], settings), true);
			for await (const file of turns.files()) await auditOnDisk(audit, file, {
				read,
				isGiven: file.path === root
			});
			if (audit.spent.bytes === 0) audit.collector.gap("opaque", printable(path), "nothing to audit: it is empty");
			audited.push(auditedAs(audit, path, begun));
		} catch (e_1) {
			env_1.error = e_1;
			env_1.hasError = true;
		} finally {
			const result_1 = __disposeResources(env_1);
			if (result_1) await result_1;
		}
	}
	return {
		audited,
		findings: audit.collector.findings(),
		gaps: audit.collector.gaps()
	};
}
function auditedAs({ spent }, path, begun) {
	const { entries, bytes } = spent;
	return {
		path: printable(path),
		entries,
		bytes,
		durationMs: Math.round(performance.now() - begun)
	};
}
async function assertExists(path, given) {
	try {
		await stat(path);
	} catch (error) {
		throw new TwotokenError("usage", `${printable(given)} cannot be audited: there is no such file or folder`, error);
	}
}
// dist/src/cli/audit.js
var auditFormats = [
	"text",
	"json",
	"sarif",
	"junit"
];
/** Loaded when they are needed: most of a short audit is the start of the process. */
var renderers = {
	text: async () => (await import("./audit-text.js")).renderText,
	json: async () => (await import("./audit-json.js")).renderJson,
	sarif: async () => (await import("./audit-sarif.js")).renderSarif,
	junit: async () => (await import("./audit-junit.js")).renderJunit
};
/** What a configuration says about the audit: the mint's host, and how keys look. Nothing without one. */
async function configuredAudit(config, { directory, variables }) {
	if (config === void 0) return {};
	const { loadConfiguration } = await import("../configuration/load.js");
	const { bundle, mint } = await loadConfiguration(resolve(directory, config), variables);
	const mintHost = bundle?.mintHost ?? (mint && new URL(mint.url).host);
	const { prefix, minLength } = bundle?.key ?? {};
	return {
		...mintHost === void 0 ? {} : { mintHost },
		...prefix === void 0 ? {} : { keyPrefix: prefix },
		...minLength === void 0 ? {} : { keyMinLength: minLength }
	};
}
/** `twotoken audit`: 1 for a violation, 3 where something could not be read, 0 otherwise. */
async function audit(options, environment) {
	const { directory, stdout, stderr } = environment;
	const { format = "text", mintHost, like, strict = false, allowIncomplete = false } = options;
	const loadRenderer = Object.hasOwn(renderers, format) ? renderers[format] : void 0;
	if (loadRenderer === void 0) throw new TwotokenError("usage", `--format is one of ${auditFormats.join(", ")}`);
	if (options.paths.length === 0) throw new TwotokenError("usage", "name at least one file or folder to audit");
	const models = await Promise.all([like ?? []].flat().map((given) => modelFor(given, directory)));
	const baseline = options.baseline === void 0 ? null : await readBaseline(resolve(directory, options.baseline));
	const progress = createProgress(stderr, () => performance.now());
	const whole = await auditPaths(options.paths, directory, {
		...mintHost === void 0 ? {} : { mintHost: hostOf(mintHost) },
		...options.keyPrefix === void 0 ? {} : { prefix: options.keyPrefix },
		...options.keyMinLength === void 0 ? {} : { leastSuffix: options.keyMinLength },
		like: models,
		onProgress: progress.read
	});
	progress.end();
	const today = (/* @__PURE__ */ new Date()).toISOString().slice(0, 10);
	const { result, stale } = baseline === null ? {
		result: whole,
		stale: []
	} : baseline(whole, today);
	await writeReport((await loadRenderer())(result), options.out === void 0 ? null : resolve(directory, options.out), stdout);
	for (const entry of stale) stderr.write(`the baseline is stale: ${entry}\n`);
	return exitCode(result, {
		strict,
		allowIncomplete,
		isStale: stale.length > 0
	});
}
/** What the mint's tokens look like, by one of them or by what a run observed. */
async function modelFor(given, directory) {
	const model = modelOf(given.trim());
	if (model !== null) return model;
	if (!given.endsWith(".json")) throw new TwotokenError("usage", "--like is no JWT: give a token that the mint issued, or the results.json of a run that saw some");
	const { readResults } = await import("../reports/read.js");
	const { observations } = await readResults(resolve(directory, given));
	const observed = observedModel(observations);
	if (observed !== null) return observed;
	throw new TwotokenError("usage", `${given} has seen no token of the mint (MINT-03): give one with --like`);
}
/** Violations outrank gaps. */
function exitCode({ findings, gaps, audited }, { strict, allowIncomplete, isStale }) {
	if (findings.some(({ level }) => level === "error" || strict && level === "warning") || isStale) return 1;
	const isNothing = audited.every(({ entries }) => entries === 0);
	return gaps.length > 0 && !allowIncomplete || isNothing ? 3 : 0;
}
async function writeReport(text, out, stdout) {
	if (out === null) {
		stdout.write(text);
		return;
	}
	const { writeFileWhole } = await import("./write-file.js");
	await writeFileWhole(out, text);
}
async function readBaseline(path) {
	const { applyBaseline, parseBaseline } = await import("./audit-baseline.js");
	const baseline = parseBaseline(await read(path));
	return (result, today) => applyBaseline(result, baseline, today);
}
async function read(path) {
	try {
		return await readFile(path, "utf8");
	} catch (error) {
		throw new TwotokenError("usage", `the baseline ${path} cannot be read`, error);
	}
}
/** A whole URL is taken as well, since that is what people have at hand. */
function hostOf(text) {
	return text.includes("://") && URL.canParse(text) ? new URL(text).host : text;
}
var quietMs = 1e3;
/** One line on a terminal, once it takes longer than a second. */
function createProgress({ write, isTTY = false }, now) {
	let last = now();
	let isShown = false;
	return {
		read(location, bytes) {
			if (!isTTY || now() - last < quietMs) return;
			last = now();
			isShown = true;
			write(`\r\u001b[2Kaudited ${Math.round(bytes / 1e6)} MB so far, reading ${lastOf(location)}`);
		},
		end() {
			if (isShown) write("\r\x1B[2K");
		}
	};
}
var widest = 44;
/** The end of a location says most; a line that the terminal breaks cannot be drawn over. */
function lastOf(location) {
	return location.length > widest ? `…${location.slice(-43)}` : location;
}
export { audit, configuredAudit, createProgress };
