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
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { exitCodeOfOutcome } from '../check/verdict.js';
import { TwotokenError } from '../errors.js';
import { resultsOf } from '../reports/results.js';
import { applyWaivers } from '../runner/waivers.js';
import { marked, withDetection } from './detected-profile.js';
import { certificateOfDouble } from './double-certificate.js';
import { inOrder } from './in-order.js';
import { interruptionOf } from './interruption.js';
import { artefactsOf, keep } from './keep.js';
import { startObservation } from './observe.js';
import { createProgress } from './progress.js';
import { prepared } from './run-plan.js';
import { startRunners } from './runners.js';
import { logFiles, partLogs, partNotes, withPartNotes } from './started-parts.js';
import { summaryText } from './summary.js';
const interruptedExitCode = 130;
/** `twotoken run`: judges what the configuration describes, or the embedded reference. Returns the exit code. */
export async function run(options, environment) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { stdout, stderr } = environment;
        const interruption = new AbortController();
        environment.onInterrupt(() => interruption.abort());
        const stack = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const plan = await prepared(options, environment, interruption.signal, stack);
        if (plan === null) {
            stderr.write('twotoken: interrupted before anything was judged\n');
            return interruptedExitCode;
        }
        const { results, secrets, parts, failure } = await judged(plan, options, environment, interruption.signal);
        const artefacts = artefactsOf(results, secrets, logFiles(parts));
        const unwritten = await keep(plan.out, artefacts);
        if (options.json)
            stdout.write(artefacts['results.json'] ?? '');
        const reportPath = unwritten === null ? join(plan.out, 'report.html') : 'not written';
        (options.json ? stderr : stdout).write(summaryText(results, { color: environment.color, reportPath }));
        for (const note of partNotes(parts))
            stderr.write(`${note}\n`);
        if (unwritten !== null)
            throw unwritten;
        if (interruption.signal.aborted)
            return interruptedExitCode;
        if (failure instanceof TwotokenError)
            stderr.write(`twotoken: ${failure.message}\n`);
        const warned = results.checks.some(({ verdict, waived }) => verdict === 'warn' && waived !== true);
        return results.outcome === 'conformant' && options.strict && warned ? 1 : exitCodeOfOutcome[results.outcome];
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
async function judged({ checks, configuration, started, out, shard, detected, mints }, { config, wait, withContracts, observe = false, seed = randomBytes(4).readUInt32LE() }, terminal, signal) {
    const { stderr, variables } = terminal;
    const startedAt = new Date();
    const begun = performance.now();
    const reports = [];
    const progress = createProgress(stderr, () => performance.now());
    const certificate = await certificateOfDouble(configuration, out, stderr);
    let isAnnounced = false;
    const events = {
        onStarted() {
            if (!isAnnounced)
                progress.started(mints.within.length);
            isAnnounced = true;
        },
        onWaiting: progress.waiting,
        onReport(report) {
            // What an interruption has broken off says nothing.
            if (signal.aborted)
                return;
            reports.push(report);
            progress.finished(report);
        },
    };
    const task = {
        configuration,
        ids: mints.within.map(({ id }) => id),
        wait,
        seed,
        evidenceFolder: join(out, 'client'),
        ...(mints.left === null ? {} : { maxMints: mints.left }),
        ...certificate,
    };
    const running = observe
        ? await startObservation(mints.within, task, terminal, events)
        : await startRunners(mints.within, task, variables, events);
    const failure = await Promise.race([running.finished, interruptionOf(signal)]);
    const interrupted = signal.aborted;
    if (interrupted)
        await running.cancel();
    progress.end();
    if (reports.length === 0 && failure instanceof TwotokenError && !interrupted)
        throw failure;
    const contracts = withContracts && !interrupted && (shard === undefined || shard.index === 1)
        ? await contractRun(configuration, certificate)
        : noContracts;
    const secrets = [
        ...reports.flatMap((report) => report.secrets),
        ...contracts.secrets,
        ...(detected?.secrets ?? []),
    ];
    const parts = started === null ? [] : await partLogs(started, secrets);
    const exchanges = [...reports.flatMap((report) => report.exchanges), ...contracts.exchanges];
    const inTheirOrder = inOrder(checks, reports, interrupted, mints.beyond);
    const judgedChecks = detected === null ? inTheirOrder : marked(inTheirOrder, checks, detected);
    const results = resultsOf({
        target: configuration.name,
        ...(config === undefined ? {} : { config }),
        startedAt,
        durationMs: performance.now() - begun,
        seed,
        interrupted,
        ...(shard === undefined ? {} : { shard }),
        checks: applyWaivers(withPartNotes([...judgedChecks, ...contracts.checks], exchanges, parts), configuration.waivers, startedAt),
        exchanges,
        parts,
    });
    return {
        results: detected === null ? results : withDetection(results, detected),
        secrets,
        parts,
        failure,
    };
}
const noContracts = { checks: [], exchanges: [], secrets: [] };
/** Loaded only when asked for: the Pact core is large. */
async function contractRun(configuration, certificate) {
    const { contractsOf } = await import('./with-contracts.js');
    return await contractsOf(configuration, certificate);
}
