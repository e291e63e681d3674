import { readFileSync } from "node:fs";
// dist/fixtures/images/settings.js
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
function settingsIn(environment) {
	const optional = (name) => {
		const file = environment[`${name}_FILE`];
		const value = file === void 0 ? environment[name] : readFileSync(file, "utf8").trim();
		return value === "" ? void 0 : value;
	};
	const text = (name, preset) => {
		const value = optional(name) ?? preset;
		if (value === void 0) throw new Error(`${name} (or ${name}_FILE) is not set`);
		return value;
	};
	return {
		text,
		optional,
		port: (name) => Number(text(name)),
		host: text("HOST", "127.0.0.1")
	};
}
/** Runs a part until it is told to end. As a container's first process it gets no default for a signal. */
async function untilTerminated(name, start) {
	const told = new Promise((resolve) => {
		for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => resolve());
	});
	try {
		const env_1 = {
			stack: [],
			error: void 0,
			hasError: false
		};
		try {
			__addDisposableResource(env_1, await start(), true);
			console.log(`${name} is up`);
			await told;
		} catch (e_1) {
			env_1.error = e_1;
			env_1.hasError = true;
		} finally {
			const result_1 = __disposeResources(env_1);
			if (result_1) await result_1;
		}
	} catch (error) {
		console.error(`${name} cannot be started: ${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
}
export { untilTerminated as n, settingsIn as t };
