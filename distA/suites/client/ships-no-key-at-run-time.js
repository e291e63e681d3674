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
import { leaksIn } from './keys.js';
export default defineCheck({
    id: 'CLI-17',
    role: 'client',
    level: 'MUST',
    clauses: ['2.1.1'],
    title: 'holds no server key while it runs',
    why: 'A key that is put together at run time is in no file of the bundle, and in the hands of every user all the same.',
    how: 'A user signs in and connects. Every page, script, source map, worker (also one made of a blob), storage ' +
        '(local, session, IndexedDB, caches), cookie, console line and request is audited as a bundle would be: no ' +
        "server key in it, in plain text or encoded, and no call of the mint's path on the mint's host.",
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
            const mintHost = bundle?.mintHost ?? (mint && new URL(mint.url).host);
            const looked = {};
            judge.must(true, { saw: '', expected: '' });
            for (const { place, name, text, exchange } of await app.taps()) {
                looked[place] = (looked[place] ?? 0) + 1;
                for (const { kind, shown, decoder } of await leaksIn(text, name, mintHost))
                    judge.must(kind !== 'key' && kind !== 'mint-call', {
                        saw: `${kind === 'key' ? shown : 'a call of the mint'} in ${place} (${name}, ${decoder})`,
                        expected: kind === 'key' ? 'no server key in a running client' : 'the backend alone to call the mint',
                        evidence: exchange === '' ? [] : [exchange],
                    });
            }
            judge.observe('client.auditedAtRunTime', looked);
            if (dialled !== null)
                throw dialled;
            if (!client.seesEverything)
                judge.untested(`what a ${client.kind} holds cannot be seen; an audit of its bundle (PKG-01) tells more`);
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
        'a key in a script': { client: { variant: 'key in a script' } },
        'a key in a script in base64': { client: { variant: 'key in a script in base64' } },
        'a key in a script in hexadecimal': { client: { variant: 'key in a script in hex' } },
        'a key that a script puts together': { client: { variant: 'key put together by a script' } },
        'a key in a source map': { client: { variant: 'key in a source map' } },
        'a key on the console': { client: { variant: 'key on the console' } },
        'a key in localStorage': { client: { variant: 'key in localStorage' } },
        'a key in sessionStorage in base64': { client: { variant: 'key in sessionStorage in base64' } },
        'a key in a cookie': { client: { variant: 'key in a cookie' } },
        'a key in IndexedDB': { client: { variant: 'key in IndexedDB' } },
        'a key in a cache': { client: { variant: 'key in a cache' } },
        'a key in a worker': { client: { variant: 'key in a worker' } },
        'a key in a worker made of a blob': { client: { variant: 'key in a worker made of a blob' } },
        'a key in a request': { client: { variant: 'key in a request' } },
    },
});
