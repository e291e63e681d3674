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
import { mintPath } from '../../src/parts/mint.js';
import { keysIn } from './keys.js';
export default defineCheck({
    id: 'CLI-03',
    role: 'client',
    level: 'MUST',
    clauses: ['4.1', '5.2'],
    title: 'never calls the mint, and sends no server key',
    why: 'Whoever can read the traffic of a client that mints can mint for anybody: the key belongs to the backend.',
    how: "A user signs in and connects. No request may go to the mint's endpoint, whose host is known from mint.url or " +
        'bundle.mintHost, and nothing that is shaped like a server key may stand in any request, also encoded. The ' +
        "endpoint's path on one of the customer's own hosts is no mint. Another path on the mint's host is advised against.",
    needs: ['client'],
    async run({ client, configuration }, judge) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const app = __addDisposableResource(env_1, await client.open(), true);
            await app.signIn();
            await app.connect();
            const dialled = await app.dialled().then(() => null, (error) => error);
            await app.quiet();
            const { mint, bundle } = configuration;
            const knowsMint = mint !== undefined || bundle?.mintHost !== undefined;
            judge.must(true, { saw: '', expected: '' });
            for (const { method, url, host, exchange } of app.requests()) {
                const { host: name, pathname } = new URL(url);
                const isEndpoint = pathname.endsWith(mintPath);
                const seen = { saw: `${method} ${pathname} on ${name}`, evidence: [exchange] };
                judge.must(host !== 'mint' || !isEndpoint, { ...seen, expected: 'the backend alone to call the mint' });
                judge.advisory(host !== 'mint' || isEndpoint, { ...seen, expected: "no request to the mint's host" });
                if (isEndpoint && host !== 'own' && !knowsMint)
                    judge.untested(`${name} was asked for the mint's path: needs mint.url or bundle.mintHost to tell whether it is the mint`);
            }
            for (const tap of (await app.taps()).filter(({ exchange }) => exchange !== ''))
                for (const { shown, decoder } of await keysIn(tap.text, tap.name))
                    judge.must(false, {
                        saw: `${shown} in a request (${tap.place}: ${tap.name}, ${decoder})`,
                        expected: 'no server key in any request',
                        evidence: [tap.exchange],
                    });
            if (dialled !== null)
                throw dialled;
            if (!client.seesEverything)
                judge.untested(`what a ${client.kind} sends to other hosts cannot be seen; an audit of its bundle (PKG-03) tells more`);
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
        'mints itself': { client: { variant: 'mints with the key itself' } },
        'mints besides': { client: { variant: 'mints with the key besides' } },
        'asks the mint without a key': { client: { variant: 'asks the mint without a key' } },
        'sends the key to its own API': { client: { variant: 'key to the own API' } },
        'sends the key to a third party': { client: { variant: 'key to a third host' } },
    },
});
