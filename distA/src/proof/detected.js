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
import { detect } from '../detect/detect.js';
import { draftFromHint } from '../detect/hint.js';
import { openSession } from '../parts/session.js';
/** Ways that nobody would guess: the user says what to try. */
const hints = {
    'signaling/user declared beside the token in a header': '{ carriage: { in: header, name: X-Calling, template: "user={userId};token={jwt}" }, declaredUser: { in: carriage } }',
};
/** What a detected profile cannot know: whether clients take a 403, or a violated policy, for a 401. */
const unnamed = { 'SIG-08': 'warn' };
const expectedBesides = {
    'signaling/refused as 403': unnamed,
    'signaling/refused with a policy violation': unnamed,
};
/** Detects a variant of the reference as if nothing were known of its signaling, and judges it by what was found. */
export async function proveDetected(checks, name, { variant, expected = {} }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const reference = __addDisposableResource(env_1, await startReference({ variant, withoutDouble: true }), true);
        return await judgedAsDetected(checks, name, reference.configuration, {
            ...expected,
            ...expectedBesides[name],
        });
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
async function judgedAsDetected(checks, name, { signaling, ...others }, expected) {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        if (signaling === undefined)
            throw new Error(`${name} has no signaling`);
        const { access: _, ...unknown } = signaling;
        const hint = hints[name];
        const found = await detect({ ...others, signaling: unknown }, { parts: ['signaling'], hints: hint === undefined ? [] : [draftFromHint(hint)] });
        if ('missing' in found.signaling)
            return { profile: null, reason: found.signaling.missing, cells: [] };
        const { profile } = found.signaling.found;
        const session = __addDisposableResource(env_2, await openSession({ ...others, signaling: { ...unknown, access: { profile } } }), true);
        const results = await Promise.all(byPhase(checks).map((check) => runCheck(check, session)));
        const cells = results.map((result) => {
            const right = expected[result.id];
            const verdicts = right === undefined ? ['pass', 'info', 'not-applicable'] : [right];
            const holds = verdicts.some((verdict) => verdict === result.verdict);
            return { requirement: result.id, variant: name, kind: 'conforming', expected: verdicts, result, holds };
        });
        return { profile, reason: '', cells };
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
