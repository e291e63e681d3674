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
import { judgeRenewal, openAhead, refusedAtConnect, standOf, untilAsked } from './renewal.js';
export default defineCheck({
    id: 'CLI-07',
    role: 'client',
    level: 'MUST',
    clauses: ['5.6'],
    title: 'mints again wherever it is refused, at connect and in mid-session',
    why: 'Tokens end while a call is on; a client that expects refusals at one moment only drops out at the other.',
    how: 'The first handshake is refused as 401; once the client is in, its open socket is refused as well. Each time it ' +
        'must call its token route again and dial with the new JWT.',
    needs: ['client', 'signalingDouble'],
    async run(parts, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const app = __addDisposableResource(env_1, await openAhead(parts.client), true);
            const atConnect = await refusedAtConnect(app);
            if (!(await judgeRenewal(app, atConnect, 'refused at connect', parts, judge)))
                return;
            await isIn(app);
            const inSession = standOf(app);
            untilAsked(app, inSession, () => 'refuse');
            app.signaling.refuseOpen();
            await judgeRenewal(app, inSession, 'refused in mid-session', parts, judge);
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
        'at connect only': { client: { variant: 'mints after a refusal at connect only' } },
        'in mid-session only': { client: { variant: 'mints after a refusal in mid-session only' } },
        'gives up in mid-session': { client: { variant: 'gives up when it is refused in mid-session' } },
        'a program that gives up in mid-session': {
            client: { form: 'program', variant: 'gives up when it is refused in mid-session' },
            configuration: { limits: { reconnectSeconds: 6 } },
        },
        'token captured once': { client: { variant: 'token captured once' } },
    },
});
async function isIn({ signaling, wait }) {
    const isAccepted = () => signaling.dials().some(({ outcome, closedAt }) => outcome === 'accepted' && closedAt === null);
    if ((await wait(isAccepted)) === null)
        throw new ControlLost('the client did not come in with its new calling JWT, so it has no open socket to refuse');
}
