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
import '../../async-disposable-stack.js';
import { resolve } from 'node:path';
import { test as base } from '@playwright/test';
import { runCheck } from '../../check/run-check.js';
import { loadConfiguration } from '../../configuration/load.js';
import { openSession } from '../../parts/session.js';
import { loadCatalogue } from '../catalogue.js';
import { checkNamed } from '../explain.js';
import { withoutMintDouble } from '../without-mint-double.js';
import { toldInATest } from './told.js';
/**
 * Playwright's `test` with the requirements on a client in it. They open a browser of their own, whose whole traffic
 * goes through the suite, whatever `page` does.
 *
 * @example
 * import { test } from 'twotoken/playwright'
 * test('mints again when it is refused', ({ requirement }) => requirement('CLI-06'))
 */
export const test = base.extend({
    twotoken: ['twotoken.yaml', { scope: 'worker', option: true }],
    judged: [
        async ({ twotoken }, use) => {
            const env_1 = { stack: [], error: void 0, hasError: false };
            try {
                const configuration = await loadConfiguration(resolve(twotoken), process.env);
                const session = __addDisposableResource(env_1, await openSession(withoutMintDouble(configuration), { environment: process.env }), true);
                const catalogue = await loadCatalogue();
                await use((id) => runCheck(checkNamed(id, catalogue), session));
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
        },
        { scope: 'worker' },
    ],
    requirement: async ({ judged }, use, testInfo) => {
        await use(async (id) => {
            const { kind, text } = toldInATest(await judged(id));
            if (kind === 'failed' || kind === 'untested')
                throw new Error(text);
            if (kind === 'remark')
                testInfo.annotations.push({ type: 'warning', description: text });
        });
    },
});
