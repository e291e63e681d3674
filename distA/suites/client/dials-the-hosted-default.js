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
import { defineCheck } from '../../src/check/check.js';
import { signsInAndConnects, signsInUnconnected } from './by-itself.js';
export default defineCheck({
    id: 'CLI-15',
    role: 'client',
    level: 'MUST',
    clauses: ['2.3'],
    title: 'dials hosted signaling where no address is configured',
    why: 'signalingUrl is optional: an app that leaves it out must come up all the same.',
    how: "As a control a user connects with the app's own configuration. Then signalingUrl is left out, and the user " +
        'connects again: some socket must be dialled. Every socket that leaves the page is caught, wherever it goes, so ' +
        'that nothing reaches the hosted service; which address it was is recorded.',
    needs: ['client'],
    async run({ client, clock }, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            if (!client.seesEverything)
                return judge.untested(`where else a ${client.kind} dials cannot be seen`);
            const byItself = await connects(client, clock);
            const app = __addDisposableResource(env_1, await client.open({ everySocketIsSignaling: true }), true);
            app.demand('configure');
            // An app that connects by itself does so with its own configuration.
            await signsInUnconnected(app, byItself);
            await app.configure({ signalingUrl: undefined });
            const before = app.signaling.dials().length;
            await app.connect();
            const dial = await app.wait(() => app.signaling.dials()[before]);
            if (dial === null && app.signaling.dials().some(({ closedAt }) => closedAt === null))
                return judge.untested('the app was still connected with its own configuration, so it dialled nothing');
            judge.must(dial !== null, {
                saw: 'no socket dialled once signalingUrl was left out',
                expected: 'a connection to hosted signaling',
                evidence: app.backend.calls().map(({ exchange }) => exchange),
            });
            if (dial !== null)
                judge.observe('client.hostedSignaling', dial.url.replace(/[?#].*$/s, ''));
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
    catches: {
        'hangs without an address': { client: { variant: 'hangs without signalingUrl' } },
        'refuses to connect without an address': {
            client: { variant: 'refuses to connect without signalingUrl' },
        },
    },
});
/** The control: with its own configuration the app dials. Returns whether it does so without being asked. */
async function connects(client, clock) {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        const app = __addDisposableResource(env_2, await client.open(), true);
        if (await signsInAndConnects(app, clock))
            return true;
        await app.connect();
        await app.dialled();
        return false;
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
