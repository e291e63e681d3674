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
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStackSecrets } from '../../../fixtures/images/secrets.js';
import { registerSecrets } from '../../evidence/known-secrets.js';
import { createRedactor } from '../../evidence/redact.js';
import { startContainer } from '../../start/containers/container.js';
import { connectEngine } from '../../start/containers/engine.js';
import { watchEvents } from '../../start/containers/events.js';
import { startNetwork } from '../../start/containers/network.js';
import { ownerOfThisProcess } from '../../start/containers/owner.js';
import { becomeReady } from '../../start/containers/ready.js';
import { sweep } from '../../start/containers/sweep.js';
import { serveRecords } from '../../taps/records.js';
import { trusted } from '../../tls/trusted.js';
import { describedStack } from './described.js';
import { chosenParts } from './images.js';
import { referencePage } from './page.js';
import { abortable, everyOne, together } from './together.js';
import { wantedOf } from './wanted.js';
import { wired } from './wires.js';
/**
 * Brings up in containers what the configuration gives an image for, and the reference in place of what it does not
 * describe at all. Each part has a network of its own: what one says to another passes the suite.
 * @throws TwotokenError `precondition`
 */
export async function startContainers(base, options) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { signal, say } = options;
        const stack = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const engine = await connectEngine();
        const swept = await sweep(engine);
        if (swept > 0)
            say(`removed ${swept} containers, networks and volumes of a run that was killed`);
        const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'twotoken-containers-')), (path) => 
        // Where the user interrupts a build, something may still be written there.
        rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined));
        const secrets = await createStackSecrets(['localhost', '127.0.0.1', 'signaling', engine.host]);
        const redactor = redactorOf(secrets, base);
        const chosen = await abortable(chosenParts(engine, base, options, folder), signal);
        const owner = await ownerOfThisProcess();
        const ownNetworks = stack.use(together());
        const networks = await everyOne(chosen, async ({ part }) => [part, ownNetworks.use(await startNetwork(engine, owner, part))]);
        const wires = await wired(base, Object.fromEntries(networks), stack);
        const ownContainers = stack.use(together());
        const containers = await everyOne(chosen, async (one) => {
            const network = Object.fromEntries(networks)[one.part];
            const started = await startContainer(engine, wantedOf(one, secrets, base, wires), { owner, network });
            return ownContainers.use(started);
        });
        const described = await describedStack(base, chosen, containers, secrets, wires, folder);
        const ca = await trusted(described.tls.ca);
        for (const tap of wires.taps)
            tap.aim(described.mint?.url ?? '', ca);
        await allReady(chosen, containers, described, options, redactor);
        const records = stack.use(await serveRecords(wires.taps));
        const page = await referencePage(base, chosen, { folder, signalingUrl: described.signaling?.url ?? '' }, stack);
        const watching = stack.use(await watchEvents(engine, containers.map(({ id }) => id)));
        const stop = stack.move();
        return {
            configuration: { ...described, ...page, tapRecords: records.url },
            look: () => Promise.all(containers.map(async (container) => ({
                part: container.part,
                image: container.image,
                state: (await container.state()).text,
                events: watching.of(container.id),
                log: redactor.text(await container.log()),
            }))),
            [Symbol.asyncDispose]: () => stop.disposeAsync(),
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
function redactorOf({ keys, sessions, consoleToken }, base) {
    const redactor = createRedactor();
    registerSecrets(base, redactor);
    for (const key of Object.values(keys))
        redactor.register('api-key', key);
    for (const session of Object.values(sessions))
        redactor.register('session', session);
    redactor.register('secret', consoleToken);
    return redactor;
}
/** Waits for all at once; as soon as one cannot be had, for none. */
async function allReady(chosen, containers, { mint, backend, signaling }, { readyTimeoutSeconds, signal }, redactor) {
    const failed = new AbortController();
    const urls = { mint: mint?.url ?? '', backend: backend?.url ?? '', signaling: signaling?.url ?? '' };
    await everyOne(containers, async (container) => {
        const { part, health } = chosen.find((one) => one.part === container.part);
        try {
            await becomeReady(container, {
                url: urls[part],
                ...(health === undefined ? {} : { health }),
                timeoutSeconds: readyTimeoutSeconds,
                clean: redactor.text,
                signal: AbortSignal.any([signal, failed.signal]),
            });
        }
        catch (error) {
            failed.abort(error);
            throw error;
        }
    });
}
