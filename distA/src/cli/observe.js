var __addDisposableResource = (this && this.__addDisposableResource) || function (env, value, async) {
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
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (this && this.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
import { createInterface } from 'node:readline/promises';
import { runCheck } from '../check/run-check.js';
import { TwotokenError } from '../errors.js';
import { openSession } from '../parts/session.js';
/**
 * `run --observe`: one check after the other, in this process, since somebody has to be told what to do next.
 * @throws TwotokenError `configuration` where nothing says where the doubles are to listen
 */
export async function startObservation(checks, { configuration, seed }, { stdin, stderr }, events) {
    if (configuration.client?.observe === undefined || stdin === undefined)
        throw new TwotokenError('configuration', '--observe needs client.observe.listen, an address that the device can reach: add it to the configuration');
    const cancelled = new AbortController();
    const lines = createInterface({ input: stdin, signal: cancelled.signal });
    lines.on('close', () => cancelled.abort());
    const observer = {
        tell: (text) => stderr.write(`\n${text}\n`),
        async ask(instruction, seen = new Promise(() => undefined)) {
            stderr.write(`> ${instruction} Then press Enter.\n`);
            const entered = new AbortController();
            const signal = AbortSignal.any([entered.signal, cancelled.signal]);
            await Promise.race([lines.question('', { signal }), seen]);
            entered.abort();
        },
    };
    const run = async () => {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const session = __addDisposableResource(env_1, await openSession(configuration, { seed, observer }), true);
            events.onStarted(checks.length);
            for (const check of checks) {
                if (cancelled.signal.aborted)
                    return null;
                stderr.write(`\n${check.id}: the client ${check.title}\n`);
                const result = await runCheck(check, session);
                events.onReport({ result, exchanges: session.journal.drain(), secrets: session.redactor.drain() });
            }
            lines.close();
            return null;
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    };
    return {
        finished: run().catch((error) => error instanceof TwotokenError ? error : new TwotokenError('internal', String(error), error)),
        async cancel() {
            cancelled.abort();
        },
    };
}
