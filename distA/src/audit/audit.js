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
import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { TwotokenError } from '../errors.js';
import { auditBytes } from './audit-bytes.js';
import { allow } from './containers/budget.js';
import { createAudit, nothingSpent } from './create-audit.js';
import { printable } from './location.js';
import { auditOnDisk, createReader } from './on-disk.js';
import { createTurns } from './threads/turns.js';
import { filesIn } from './walk.js';
/**
 * Audits files and folders. Nothing is written and nothing is executed.
 * @throws TwotokenError `usage` for a path that does not exist
 */
export async function auditPaths(paths, directory, settings = {}) {
    const audit = createAudit(settings);
    for (const path of paths)
        await assertExists(resolve(directory, path), path);
    const audited = [];
    const read = createReader();
    for (const path of paths) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const begun = performance.now();
            Object.assign(audit.spent, nothingSpent);
            const root = await realpath(resolve(directory, path));
            const gap = (location, reason) => audit.collector.gap('opaque', printable(location), reason);
            const turns = __addDisposableResource(env_1, createTurns(audit, [...filesIn(root, path, gap)], settings), true);
            for await (const file of turns.files())
                await auditOnDisk(audit, file, { read, isGiven: file.path === root });
            if (audit.spent.bytes === 0)
                audit.collector.gap('opaque', printable(path), 'nothing to audit: it is empty');
            audited.push(auditedAs(audit, path, begun));
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
    }
    return { audited, findings: audit.collector.findings(), gaps: audit.collector.gaps() };
}
/** Audits one file that is in memory, as `auditPaths` would audit it on disk. */
export async function auditInMemory({ location, name, bytes }, settings = {}) {
    const audit = createAudit(settings);
    const begun = performance.now();
    allow(audit, bytes.length);
    await auditBytes(audit, { location: printable(location), name, bytes, depth: 0 });
    const audited = [auditedAs(audit, location, begun)];
    return { audited, findings: audit.collector.findings(), gaps: audit.collector.gaps() };
}
function auditedAs({ spent }, path, begun) {
    const { entries, bytes } = spent;
    return { path: printable(path), entries, bytes, durationMs: Math.round(performance.now() - begun) };
}
async function assertExists(path, given) {
    try {
        await stat(path);
    }
    catch (error) {
        throw new TwotokenError('usage', `${printable(given)} cannot be audited: there is no such file or folder`, error);
    }
}
