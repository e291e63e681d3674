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
import { ControlLost } from '../../src/check/judge.js';
import { signsInAndConnects, signsInUnconnected } from './by-itself.js';
const required = ['userId', 'displayName', 'getAuthToken'];
export default defineCheck({
    id: 'CLI-14',
    role: 'client',
    level: 'MUST',
    clauses: ['2.3'],
    title: 'connects only with a userId, a displayName and getAuthToken',
    why: 'Whoever is connected without an id cannot be called, and without getAuthToken there is no token of theirs.',
    how: 'One client is configured by driver.configure as it is, and connects: the control. Then the userId, the ' +
        'displayName and getAuthToken are left out in turn. None of these clients may dial signaling within several ' +
        'times the time that the control took.',
    needs: ['client', 'signalingDouble'],
    async run(parts, judge) {
        const usual = await control(parts.client, parts.clock);
        await Promise.all(required.map((field) => refusesWithout(field, usual, parts, judge)));
    },
    catches: {
        'connects without a userId': { client: { variant: 'connects without a userId' } },
        'connects without a displayName': { client: { variant: 'connects without a displayName' } },
        'a program without a userId': {
            client: { form: 'program', variant: 'connects without a userId' },
        },
        'asks the backend without getAuthToken': { client: { variant: 'connects without getAuthToken' } },
        'connects without any token': { client: { variant: 'dials without any token' } },
    },
});
async function control(client, clock) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const app = __addDisposableResource(env_1, await client.open(), true);
        app.demand('configure');
        const byItself = await signsInAndConnects(app, clock);
        if (byItself) {
            app.demand('disconnect');
            await app.disconnect();
        }
        const before = app.signaling.dials().length;
        // As it is: a driver that cannot do that cannot leave anything out either.
        await app.configure({});
        const startedAt = clock.monotonic();
        await app.connect();
        const dial = await app.dialled(before);
        const dialMs = clock.monotonic() - startedAt;
        if ((await app.wait(() => dial.outcome === 'accepted')) === null)
            throw new ControlLost('the client was not accepted with its whole configuration', [dial.exchange]);
        return { dialMs, byItself };
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
const leastSeconds = 2;
/** A dial that does not come within so many times of what it usually takes does not come. */
const manyTimes = 4;
/** What a client still does that has said that it failed. */
const afterwardsSeconds = 0.5;
async function refusesWithout(field, { dialMs, byItself }, { client }, judge) {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        const app = __addDisposableResource(env_2, await client.open(), true);
        await signsInUnconnected(app, byItself);
        const before = app.signaling.dials().length;
        await app.configure({ [field]: undefined });
        await app.connect();
        const dialled = () => app.signaling.dials()[before];
        const hasFailed = async () => (await app.state()) === 'failed';
        await app.wait(async () => dialled() !== undefined || (await hasFailed()), Math.max(leastSeconds, (manyTimes * dialMs) / 1000));
        const dial = await app.wait(dialled, afterwardsSeconds);
        judge.must(dial === null, {
            saw: `a dial of signaling without ${field}`,
            expected: `no connection without ${field}`,
            ...(dial === null ? {} : { evidence: [dial.exchange] }),
        });
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
