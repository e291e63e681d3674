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
import { secretIn } from '../../src/evidence/holds-secret.js';
import { tokensIn } from '../../src/tokens/decode.js';
export default defineCheck({
    id: 'CLI-01',
    role: 'client',
    level: 'MUST',
    clauses: ['2.3', '5.3'],
    title: 'asks its backend with the session as bearer',
    why: "The bearer header is where the customer's auth looks, and what logs and caches leave out.",
    how: 'A user signs in and connects. The call of the token route must carry Authorization: Bearer with the ' +
        'sessionToken, and the sessionToken nowhere else in the request: not in its URL, its body or another header ' +
        '(a cookie that the login has set is left aside). Where the driver does not say which session it is, the bearer ' +
        'may be neither a server key nor a calling JWT.',
    needs: ['client'],
    async run({ client }, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const app = __addDisposableResource(env_1, await client.open(), true);
            const { sessionToken } = await app.signIn();
            if (app.backend.calls().length === 0)
                await app.connect();
            const first = await app.backendAsked();
            await app.wait(() => first.status !== null);
            for (const call of app.backend.calls()) {
                const evidence = [call.exchange];
                const { bearer } = call;
                const isSession = sessionToken === null ? mayBeSession(bearer) : bearer === sessionToken;
                judge.must(isSession, {
                    saw: `${describeBearer(bearer)} in the call of the token route`,
                    expected: 'Authorization: Bearer <sessionToken>',
                    evidence,
                });
                const session = sessionToken ?? bearer;
                if (session === null)
                    continue;
                const encoding = secretIn(besidesTheBearer(call), session);
                judge.must(encoding === null, {
                    saw: `the sessionToken in the URL, the body or another header of the call (${encoding})`,
                    expected: 'it in the Authorization header alone',
                    evidence,
                });
            }
            judge.observe('client.tokenRouteMethod', app.backend.calls()[0]?.method);
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
        'puts the session into the query': { client: { variant: 'session in the query' } },
        'puts the session into the body': { client: { variant: 'session in the body' } },
        'repeats the session in the body': { client: { variant: 'session in the header and the body' } },
        'repeats the session in the query in base64': {
            client: { variant: 'session in the header and in base64 in the query' },
        },
        'repeats the session in another header': { client: { variant: 'session in two headers' } },
        'sends the session as a cookie': { client: { variant: 'session in a cookie' } },
        'sends the session under another scheme': { client: { variant: 'session under another scheme' } },
        'sends an API key': { client: { variant: "API key in the session's place" } },
        'sends no session': { client: { variant: 'no session' } },
    },
});
function mayBeSession(bearer) {
    return bearer !== null && !bearer.startsWith('ac_live_');
}
function describeBearer(bearer) {
    if (bearer === null)
        return 'no bearer';
    if (bearer.startsWith('ac_live_'))
        return 'a server key as bearer';
    return tokensIn(bearer).length > 0 ? 'another JWT as bearer' : 'another bearer than the session';
}
function besidesTheBearer({ url, headers, body }) {
    const others = headers.filter(([name]) => name !== 'authorization' && name !== 'cookie');
    return [url, ...others.flat(), body].join('\n');
}
