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
import { stringify } from 'yaml';
import { TwotokenError } from '../errors.js';
import { loadNamedVariants, variantNamed } from './variants.js';
const servable = ['mint', 'backend', 'signaling', 'console', 'app'];
/**
 * `twotoken serve`: the reference stack, or a variant of it, until it is interrupted. Its keys and sessions were made
 * for this start and are printed in full: they open nothing else.
 * @throws TwotokenError `usage` for a part or variant that there is not, `precondition` where a port is taken
 */
export async function serve({ parts: named = servable, portBase, variant: variantName, json = false }, { stdout, stderr, onInterrupt }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const wanted = partsOf(named);
        const started = withNeeded(wanted);
        const ports = portsOf(portBase);
        const variant = variantName === undefined ? {} : variantNamed(variantName, await loadNamedVariants());
        const interrupted = new Promise((resolve) => onInterrupt(resolve));
        const { startReference } = await import('../../fixtures/stack.js');
        const stack = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        try {
            const reference = stack.use(await startReference({
                variant,
                withoutDouble: true,
                ports: {
                    mint: ports.mint,
                    backend: started.has('backend') ? ports.backend : 0,
                    signaling: started.has('signaling') ? ports.signaling : 0,
                    app: ports.app,
                },
                withClient: wanted.has('app'),
                forPeople: true,
            }));
            if (!started.has('backend'))
                await reference.backend[Symbol.asyncDispose]();
            if (!started.has('signaling'))
                await reference.signaling[Symbol.asyncDispose]();
            const { startConsole } = await import('../../fixtures/console/server.js');
            const developerConsole = wanted.has('console')
                ? stack.use(await startConsole({ mint: reference.mint, port: ports.console }))
                : null;
            for (const part of started)
                if (!wanted.has(part))
                    stderr.write(`the ${part} is started, too: ${[...wanted].join(', ')} cannot do without it\n`);
            const served = describe(reference, developerConsole, started, variantName ?? null);
            stdout.write(json ? `${JSON.stringify(served, null, 2)}\n` : servedText(served));
        }
        catch (error) {
            throw portError(error, ports);
        }
        stderr.write('up until Ctrl-C\n');
        await interrupted;
        return 0;
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
function partsOf(named) {
    for (const name of named)
        if (!servable.includes(name))
            throw new TwotokenError('usage', `${name} cannot be served; there are ${servable.join(', ')}`);
    return new Set(named.length === 0 ? servable : named);
}
/** Nothing works without the mint, and the app not without all three. */
function withNeeded(wanted) {
    return new Set([...wanted, 'mint', ...(wanted.has('app') ? ['backend', 'signaling'] : [])]);
}
function portsOf(base) {
    if (base === undefined)
        return { mint: 0, backend: 0, signaling: 0, console: 0, app: 0 };
    const highest = 65_535 - (servable.length - 1);
    if (!Number.isInteger(base) || base < 1 || base > highest)
        throw new TwotokenError('usage', `--port-base ${base} is no port from 1 to ${highest}`);
    return { mint: base, backend: base + 1, signaling: base + 2, console: base + 3, app: base + 4 };
}
function portError(error, ports) {
    const { code, port } = error;
    if (code !== 'EADDRINUSE' && code !== 'EACCES')
        return error;
    const part = servable.find((name) => ports[name] === port) ?? 'a part';
    const why = code === 'EADDRINUSE' ? 'is already taken' : 'may not be listened on';
    return new TwotokenError('precondition', `port ${port} for ${part} ${why}; expected it free: free it, or choose another --port-base`, error);
}
function describe({ mint, backend, signaling, app, caFile, written }, developerConsole, started, variant) {
    const described = Object.entries(written).filter(([key]) => (key !== 'backend' && key !== 'signaling') || started.has(key));
    return {
        variant,
        mint: { url: mint.url, jwksUrl: mint.jwksUrl, keys: mint.keys },
        ...(started.has('backend') && {
            backend: {
                url: backend.url,
                tokenUrl: backend.tokenUrl,
                sessions: backend.sessions,
                users: backend.users,
            },
        }),
        ...(started.has('signaling') && { signaling: { url: signaling.url, profile: signaling.profile } }),
        ...(developerConsole !== null && { console: { url: developerConsole.url } }),
        ...(app !== null && {
            app: { url: app.url, tokenUrl: app.tokenUrl, signalingUrl: app.signalingUrl },
        }),
        caFile,
        configuration: Object.fromEntries(described),
    };
}
function servedText(served) {
    const { variant, mint, backend, signaling, caFile } = served;
    const lines = [
        ['variant', variant ?? 'none: the reference'],
        ['mint', mint.url],
        ['  key set', mint.jwksUrl],
        ...Object.entries(mint.keys).map(([name, key]) => [`  key ${name}`, key]),
    ];
    if (backend !== undefined)
        lines.push(['backend', backend.url], ['  token route', backend.tokenUrl], ...backend.users.map(({ name, password, userId }) => [
            `  user ${name}`,
            `password ${password}, userId ${userId}`,
        ]), ...Object.entries(backend.sessions).map(([name, { token, userId }]) => [
            `  session ${name}`,
            `${token} (userId ${userId})`,
        ]));
    if (signaling !== undefined)
        lines.push(['signaling', signaling.url], ['  trust (CA)', caFile]);
    if (served.console !== undefined)
        lines.push(['console', served.console.url]);
    if (served.app !== undefined)
        lines.push(['app', `${served.app.url} (any browser: it trusts nothing new)`], ['  its signaling', `${served.app.signalingUrl}, carried on to wss by the app's server`]);
    const width = Math.max(...lines.map(([name]) => name.length));
    const listed = lines.map(([name, value]) => `${name.padEnd(width)}  ${value}`).join('\n');
    return `${listed}\n\n# this stack as a twotoken.yaml:\n${stringify(served.configuration)}`;
}
