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
const lifetimeSeconds = 60;
/** Where no clock can be moved, a short lifetime is waited for. */
const shortLifetimeSeconds = 2;
const tenMinutesMs = 600_000;
export default defineCheck({
    id: 'CLI-09',
    role: 'client',
    level: 'SHOULD',
    clauses: ['5.5'],
    title: 'connects anew with a token that has not expired',
    why: 'A device whose clock is wrong must get in as well: the client cannot tell by it whether a kept token is still good.',
    how: 'A user connects and disconnects. Once the lifetime of the token has passed, for the client and for signaling ' +
        'alike, the user connects again: the first handshake should carry a token that has not expired. So with a clock ' +
        'that is right, with one that is ten minutes slow, and with one that is ten minutes fast.',
    needs: ['client', 'signalingDouble'],
    async run({ client }, judge) {
        const offsets = [0, -tenMinutesMs, tenMinutesMs];
        const outcomes = await Promise.all(offsets.map((offsetMs) => reconnected(client, offsetMs)));
        for (const [index, outcome] of outcomes.entries()) {
            const clock = clockText(offsets[index] ?? 0);
            if (outcome === null) {
                judge.untested(`the clock of a ${client.kind} cannot be ${clock}`);
                continue;
            }
            judge.should(!outcome.isExpired, {
                saw: `an expired calling JWT in the first handshake after its lifetime, with a clock that is ${clock}`,
                expected: 'a calling JWT that has not expired',
                evidence: [outcome.dial.exchange],
            });
        }
    },
    catches: {
        'keeps tokens by the local clock': { client: { variant: 'tokens kept by the local clock' }, as: 'warn' },
        'keeps tokens for an hour': { client: { variant: 'tokens kept for an hour' }, as: 'warn' },
    },
});
function clockText(offsetMs) {
    if (offsetMs === 0)
        return 'right';
    return offsetMs < 0 ? 'ten minutes slow' : 'ten minutes fast';
}
/** The first handshake of the second connection; null where the client's clock cannot be wrong by so much. */
async function reconnected(client, offsetMs) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const canDrive = client.kind === 'page';
        if (!canDrive && offsetMs !== 0)
            return null;
        const app = __addDisposableResource(env_1, await client.open(canDrive ? { drivenClock: { offsetMs } } : {}), true);
        app.demand('disconnect');
        const lifetime = canDrive ? lifetimeSeconds : shortLifetimeSeconds;
        app.backend.lifetime(lifetime);
        await app.join();
        await app.disconnect();
        await app.wait(() => app.signaling.dials().every(({ closedAt }) => closedAt !== null));
        await agedBy(app, lifetime + 1);
        const before = app.signaling.dials().length;
        await app.connect();
        const dial = await app.dialled(before);
        await app.wait(() => dial.outcome !== null);
        const token = app.issued().find(({ jwt }) => jwt === dial.credential);
        return { dial, isExpired: token !== undefined && dial.outcome === 'refused' };
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
async function agedBy(app, seconds) {
    if (app.can('drivenClock'))
        await app.passTime(seconds);
    else
        await app.wait(() => false, seconds);
}
