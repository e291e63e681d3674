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
import { judgeRenewal, openAhead, refusedAtConnect, staleDials } from './renewal.js';
export default defineCheck({
    id: 'CLI-06',
    role: 'client',
    level: 'MUST',
    clauses: ['3', '5.6', '7.3'],
    title: 'mints again when signaling refuses its token',
    why: 'A refused token stays refused: whoever offers it again never gets in, and asks for a rate limit.',
    how: 'The first handshake is refused as 401. The client must then call its token route again and dial with the new ' +
        'JWT, and not once more with the refused one. A page cannot see the HTTP status of a refused upgrade: there it is ' +
        'only asked to mint again when its attempts are exhausted.',
    needs: ['client', 'signalingDouble'],
    async run(parts, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const { client, signalingDouble } = parts;
            const app = __addDisposableResource(env_1, await openAhead(client), true);
            const since = await refusedAtConnect(app);
            await judgeRenewal(app, since, 'refused at connect', parts, judge);
            const stale = staleDials(app, since);
            const isSeen = client.kind === 'program' || signalingDouble.atConnect !== 'http';
            judge.must(!isSeen || stale.length === 0, {
                saw: `${stale.length} more dial${stale.length === 1 ? '' : 's'} with the refused calling JWT`,
                expected: 'the next handshake to carry a new one',
                evidence: stale.map(({ exchange }) => exchange),
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
    },
    catches: {
        'token captured once': { client: { variant: 'token captured once' } },
        'mints, and dials with the first token': { client: { variant: 'mints, and dials with the first token' } },
        'dials with the refused token for ever': { client: { variant: 'dials with the refused token again' } },
        'gives up': { client: { variant: 'gives up when it is refused' } },
        'mints, and does not connect': { client: { variant: 'mints, and does not connect' } },
        'a program that captures its token': {
            client: { form: 'program', variant: 'token captured once' },
            configuration: { limits: { reconnectSeconds: 6 } },
        },
        'takes a refusal for a drop': { client: { variant: 'a refusal taken for a drop' } },
    },
});
