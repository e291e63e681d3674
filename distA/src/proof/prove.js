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
import { startReference } from '../../fixtures/stack.js';
import { byPhase } from '../check/order.js';
import { runCheck } from '../check/run-check.js';
import { verdicts } from '../check/verdict.js';
import { createBrowserSource } from '../client/browser.js';
import { openSession } from '../parts/session.js';
const unaccused = ['pass', 'info', 'not-applicable'];
/** A broken variant is caught by its own requirement. */
export async function proveCaught(check, name) {
    const broken = check.catches[name];
    if (broken === undefined)
        throw new Error(`${check.id} has no variant called ${name}`);
    const [result] = await judged([check], broken);
    if (result === undefined)
        throw new Error(`${check.id} gave no result for ${name}`);
    return cell('broken', name, [broken.as ?? 'fail'], result);
}
/** A conforming variant is accused of nothing. */
export async function proveUnaccused(checks, name, { variant, expected = {} }) {
    const kind = name === 'reference' ? 'reference' : 'conforming';
    const results = await judged(checks, variant);
    return results.map((result) => {
        const other = expected[result.id];
        return cell(kind, name, other === undefined ? unaccused : [other], result);
    });
}
/** A peer that answers nothing, or the same to everything, earns no `pass` for a refusal. */
export async function proveNoPass(checks, name, peer) {
    const results = await judged(checks, peer.variant);
    const anythingElse = verdicts.filter((verdict) => verdict !== 'pass');
    return results.map((result) => cell('degenerate', name, anythingElse, result));
}
/** One browser for the whole proof; whoever proves closes it. */
export const browsers = createBrowserSource({});
/** Runs checks against a variant of the reference, over real sockets. */
async function judged(checks, variant) {
    const clients = checks.filter(({ role }) => role === 'client');
    const others = checks.filter(({ role }) => role !== 'client');
    const results = await Promise.all([
        others.length === 0 ? [] : judgedAtOnce(others, variant),
        clients.length === 0 ? [] : oneOfFew(() => judgedInTurn(clients, variant)),
    ]);
    return results.flat();
}
async function judgedAtOnce(checks, variant) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        // A variant of the bundle brings its artefacts; the reference's own are built only for those who look at them.
        const withBundle = checks.some(({ role }) => role === 'bundle') && variant.configuration?.['bundle'] === undefined;
        const reference = __addDisposableResource(env_1, await startReference({ variant, withBundle }), true);
        const session = __addDisposableResource(env_1, await openSession(reference.configuration), true);
        return await Promise.all(byPhase(checks).map((check) => runCheck(check, session)));
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
async function judgedInTurn(checks, variant) {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        const reference = __addDisposableResource(env_2, await startReference({ variant, withClient: true }), true);
        const session = __addDisposableResource(env_2, await openSession(reference.configuration, { browsers }), true);
        const results = [];
        for (const check of checks)
            results.push(await runCheck(check, session));
        return results;
    }
    catch (e_2) {
        env_2.error = e_2;
        env_2.hasError = true;
    }
    finally {
        const result_2 = __disposeResources(env_2);
        if (result_2)
            await result_2;
    }
}
/** Pages that are open at once share the machine, and must not be too late for it. */
const pagesAtOnce = 3;
let running = 0;
const waiting = [];
async function oneOfFew(run) {
    if (running >= pagesAtOnce)
        await new Promise((resolve) => waiting.push(resolve));
    else
        running += 1;
    try {
        return await run();
    }
    finally {
        const next = waiting.shift();
        if (next === undefined)
            running -= 1;
        else
            next();
    }
}
function cell(kind, variant, expected, result) {
    return { requirement: result.id, variant, kind, expected, result, holds: expected.includes(result.verdict) };
}
