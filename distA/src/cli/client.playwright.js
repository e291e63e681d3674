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
import '../async-disposable-stack.js';
import { existsSync } from 'node:fs';
import { test as base, expect } from '@playwright/test';
import { runCheck } from '../check/run-check.js';
import { loadConfiguration } from '../configuration/load.js';
import { openSession } from '../parts/session.js';
import { reportAttachment } from '../runner/protocol.js';
import { loadCatalogue } from './catalogue.js';
import { environment } from './playwright-settings.js';
import { withoutMintDouble } from './without-mint-double.js';
const test = base.extend({
    session: [
        async ({ browserName: _ }, use, { config, workerIndex }) => {
            const env_1 = { stack: [], error: void 0, hasError: false };
            try {
                const { task, configurationFile } = config.metadata;
                const stack = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
                const configuration = task?.configuration ?? (await described(configurationFile, stack));
                const options = task === undefined ? {} : { seed: task.seed, evidenceFolder: task.evidenceFolder };
                const session = __addDisposableResource(env_1, await openSession(withoutMintDouble(configuration), {
                    ...options,
                    environment,
                    exchangePrefix: `c${workerIndex}x`,
                }), true);
                await use(session);
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
});
for (const check of (await loadCatalogue()).filter(({ role }) => role === 'client'))
    test(`${check.id} ${check.title}`, async ({ session }, testInfo) => {
        const judged = await runCheck(check, session);
        const isBad = judged.verdict === 'fail' || judged.verdict === 'error';
        const kept = await session.settleEvidence(check.id, isBad);
        const result = kept.length === 0
            ? judged
            : { ...judged, observations: { ...judged.observations, keptInFolderClient: kept } };
        const { task } = testInfo.config.metadata;
        const report = { result, exchanges: session.journal.drain(), secrets: session.redactor.drain() };
        // Secrets go to the command that asked, for its last scan; never to a report of Playwright's own.
        if (task !== undefined)
            await testInfo.attach(reportAttachment, { body: JSON.stringify(report) });
        expect(['fail', 'error'], result.findings[0]?.message ?? result.reason ?? '').not.toContain(result.verdict);
    });
/** Started by hand: the file that was named, else the one in this folder, else the embedded reference. */
async function described(file, stack) {
    const here = file ?? (existsSync('twotoken.yaml') ? 'twotoken.yaml' : undefined);
    if (here !== undefined)
        return await loadConfiguration(here, environment);
    const { startReference } = await import('../../fixtures/stack.js');
    return stack.use(await startReference({ withClient: true })).configuration;
}
