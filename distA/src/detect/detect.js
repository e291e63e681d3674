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
import { createJudge } from '../check/judge.js';
import { openSession } from '../parts/session.js';
import { createSignaling } from '../signaling/attempt.js';
import { trusted } from '../tls/trusted.js';
import { createBudget, GivenUp, usualBounds } from './budget.js';
import { measuredLeeway } from './leeway.js';
import { detectMint } from './mint.js';
import { createProber } from './prober.js';
import { detectSignaling } from './signaling.js';
import { createSupply } from './supply.js';
/**
 * Finds out how an implementation does what the specification leaves open. The API key goes to the mint and nowhere
 * else; what is offered to signaling are tokens for made-up users, and garbage.
 * @throws TwotokenError where the configuration's own parts cannot be opened
 */
export async function detect(configuration, { parts = ['mint', 'signaling'], hints = [], bounds = {}, wait = false, onProgress = () => { }, signal, ...options } = {}) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const session = __addDisposableResource(env_1, await openSession(configuration, options), true);
        const { clock, journal, redactor, http } = session;
        const budget = createBudget({ ...usualBounds, ...bounds }, clock, signal);
        const common = session.partsFor({ id: 'detect', needs: [] }, createJudge('INFO'));
        const available = 'missing' in common ? () => undefined : common.available;
        const newUser = 'missing' in common ? () => 'nobody' : common.newUser;
        const mint = available('mint');
        const tokens = available('callingTokens');
        const backend = available('backend');
        const bob = available('bob');
        const { signaling, limits, tls } = configuration;
        const ofMint = async () => {
            if (mint === undefined)
                throw new GivenUp('needs mint.url and mint.apiKey');
            onProgress('how the mint answers');
            return await detectMint({ mint, http, budget, newUser });
        };
        let turn = 0;
        const supply = tokens &&
            createSupply({
                async mintFor() {
                    turn += 1;
                    if (mint !== undefined || backend === undefined || bob === undefined || turn % 2 === 1)
                        return await tokens.fresh();
                    return await backend.token(bob);
                },
                newUser,
                redactor,
                budget,
            });
        const ca = await trusted(tls.ca);
        const shared = {
            journal,
            redactor,
            clock,
            runStart: clock.monotonic(),
            frameBytes: limits.bodyBytes,
            ...(ca === undefined ? {} : { ca }),
        };
        const driverOf = (profile) => createSignaling({ ...shared, url: signaling?.url ?? '', profile });
        const ofSignaling = async () => {
            if (signaling === undefined)
                throw new GivenUp('needs signaling.url');
            if (supply === undefined)
                throw new GivenUp('needs a source of calling tokens: mint, or backend');
            const prober = createProber({ ...shared, budget });
            return await detectSignaling({
                url: signaling.url,
                prober,
                supply,
                hints,
                driverOf,
                onProgress,
            });
        };
        const found = async (part, look) => {
            if (!parts.includes(part))
                return { missing: 'was not asked for' };
            try {
                return { found: await look() };
            }
            catch (error) {
                return { missing: redactor.text(reasonOf(error)) };
            }
        };
        const mintFound = await found('mint', ofMint);
        const signalingFound = await found('signaling', ofSignaling);
        const leewaySeconds = wait && 'found' in signalingFound && mint !== undefined
            ? await measuredLeeway({
                mint: { ...mint, minTtlSeconds: floorOf(mintFound) ?? mint.minTtlSeconds },
                driver: driverOf(signalingFound.found.profile),
                clock,
                limits,
                newUser,
                onProgress,
            })
            : null;
        return {
            mint: mintFound,
            signaling: signalingFound,
            leewaySeconds,
            attempts: budget.attempts,
            mints: budget.mints,
            exchanges: journal.drain(),
            secrets: redactor.drain(),
        };
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
function floorOf(mint) {
    return 'found' in mint ? mint.found.floorSeconds : null;
}
function reasonOf(error) {
    if (error instanceof GivenUp)
        return error.message;
    if (error instanceof Error && ['ControlLost', 'Untested'].includes(error.name))
        return error.message;
    throw error;
}
