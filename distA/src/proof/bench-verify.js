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
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReference } from '../../fixtures/stack.js';
import { verify } from '../cli/verify.js';
import { pactProgram } from '../verify/core.js';
const pacts = join(import.meta.dirname, '../../contracts/pacts');
const rounds = 7;
const budgetMs = 5000;
const budgetRatio = 1.5;
/** Measures `twotoken verify` of both providers against the Pact verifier, called directly on the same files. */
async function benchVerify() {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const reference = __addDisposableResource(env_1, await startReference({ withoutDouble: true }), true);
        const folder = await mkdtemp(join(tmpdir(), 'twotoken-bench-'));
        try {
            await writeFile(join(folder, 'twotoken.yaml'), JSON.stringify(reference.written));
            const [ours, direct] = [[], []];
            for (let round = 0; round < rounds; round += 1) {
                ours.push(await timed(() => verifiedByUs(folder)));
                direct.push(await timed(() => verifiedDirectly(reference)));
            }
            return { oursMs: median(ours), directMs: median(direct) };
        }
        finally {
            await rm(folder, { recursive: true, force: true });
        }
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
async function verifiedByUs(directory) {
    const silent = { write: () => true };
    for (const role of ['mint', 'backend'])
        await verify({ role, config: 'twotoken.yaml', strict: false, json: false }, { directory, variables: {}, stdout: silent, stderr: silent, color: false });
}
async function verifiedDirectly(reference) {
    const { keys } = reference.mint;
    const { sessions } = reference.backend;
    const values = {
        active: { apiKey: keys.active },
        unknown: { apiKey: 'ac_live_nobody' },
        'trial ended': { apiKey: keys.trialEnded },
        suspended: { apiKey: keys.suspended },
        'at its cap': { apiKey: keys.capped },
        live: { session: sessions.alice.token },
        expired: { session: sessions.expired.token },
    };
    const states = createServer(async (request, response) => {
        const chunks = [];
        for await (const chunk of request)
            chunks.push(chunk);
        const { params } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(values[params.state] ?? {}));
    });
    await new Promise((done) => states.listen(0, '127.0.0.1', done));
    const stateUrl = `http://127.0.0.1:${states.address().port}/`;
    const verifier = (file, url) => new Promise((done) => {
        const told = [
            'verifier',
            '--file',
            join(pacts, file),
            '--hostname',
            '127.0.0.1',
            '--state-change-teardown',
        ];
        const target = ['--port', new URL(url).port, '--state-change-url', stateUrl, '--loglevel', 'none'];
        execFile(pactProgram(), [...told, ...target], { env: { PACT_DO_NOT_TRACK: 'true' } }, () => done());
    });
    await verifier('backend-token-mint.json', reference.mint.url);
    await verifier('app-backend.json', reference.backend.url);
    states.closeAllConnections();
    await new Promise((done) => states.close(done));
}
async function timed(run) {
    const begun = performance.now();
    await run();
    return performance.now() - begun;
}
function median(values) {
    return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN;
}
if (import.meta.main) {
    const { oursMs, directMs } = await benchVerify();
    const ratio = oursMs / directMs;
    process.stdout.write(`verify, both providers: ${Math.round(oursMs)} ms; the Pact verifier directly: ${Math.round(directMs)} ms; ratio ${ratio.toFixed(2)}\n`);
    if (oursMs > budgetMs || ratio > budgetRatio) {
        process.stderr.write(`expected at most ${budgetMs} ms and a ratio of at most ${budgetRatio}\n`);
        process.exitCode = 1;
    }
}
