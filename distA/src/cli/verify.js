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
import { join, resolve } from 'node:path';
import { exitCodeOfOutcome } from '../check/verdict.js';
import { systemClock } from '../clock/clock.js';
import { TwotokenError } from '../errors.js';
import { createJournal } from '../evidence/exchange.js';
import { createRedactor } from '../evidence/redact.js';
import { assertNoSecret } from '../evidence/scan.js';
import { createHttpClient } from '../http/client.js';
import { renderJunit } from '../reports/junit.js';
import { resultsOf } from '../reports/results.js';
import { trusted } from '../tls/trusted.js';
import { createBroker } from '../verify/broker.js';
import { pactsAt, pactsOf } from '../verify/sources.js';
import { verifyPacts } from '../verify/verify.js';
import { certificateOfDouble } from './double-certificate.js';
import { artefactsOf, assertWritable, keep } from './keep.js';
import { inShape, ownPacts } from './own-contracts.js';
import { summaryText } from './summary.js';
import { configurationOf } from './verify-target.js';
/** `twotoken verify`: verifies the contracts against any provider. Returns the exit code. */
export async function verify(options, environment) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { role } = options;
        const configuration = await configurationOf(options, environment.directory, environment.variables);
        const ca = await trusted(configuration.tls.ca);
        const http = __addDisposableResource(env_1, createHttpClient({
            journal: createJournal(),
            redactor: createRedactor(),
            clock: systemClock,
            deadlineMs: configuration.limits.requestSeconds * 1000,
            bodyBytes: configuration.limits.bodyBytes,
            ...(ca === undefined ? {} : { ca }),
        }), true);
        const broker = brokerOf(options, http);
        const pacts = await foundPacts(options, broker, http, environment.directory);
        const out = resolve(environment.directory, options.out ?? join(configuration.directory, 'twotoken-results'));
        await assertWritable(out);
        const startedAt = new Date();
        const begun = performance.now();
        const verification = await verifyPacts({
            role,
            configuration,
            choose: ({ shape }) => inShape(pacts, shape),
            ...(ca === undefined ? {} : { ca }),
            ...(role === 'backend' ? await certificateOfDouble(configuration, out, environment.stderr) : {}),
            ...(options.stateUrl === undefined ? {} : { stateUrl: options.stateUrl }),
            ...(options.stateCommand === undefined ? {} : { stateCommand: options.stateCommand }),
            ...(environment.core === undefined ? {} : { core: environment.core }),
        });
        const results = resultsOf({
            target: configuration.name,
            startedAt,
            durationMs: performance.now() - begun,
            seed: 0,
            interrupted: false,
            checks: verification.judged.map(({ interaction, check }) => interaction.pact.pending === true || interaction.source.pending
                ? pending(check, interaction.pact.consumer)
                : check),
            exchanges: verification.exchanges,
        });
        const junit = renderJunit(results);
        assertNoSecret('junit.xml', junit, createRedactor());
        const artefacts = {
            ...artefactsOf(results, verification.secrets),
            'junit.xml': junit,
        };
        const unwritten = await keep(out, artefacts);
        if (options.json)
            environment.stdout.write(artefacts['results.json'] ?? '');
        const reportPath = unwritten === null ? join(out, 'report.html') : 'not written';
        const summary = summaryText(results, { color: environment.color, reportPath });
        (options.json ? environment.stderr : environment.stdout).write(summary);
        if (unwritten !== null)
            throw unwritten;
        if (broker !== undefined && options.broker?.publish === true)
            await publish(options.broker, broker, verification, environment);
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
/** The consumer's newest expectations do not break the provider's build before it has met them once. */
function pending(check, consumer) {
    if (check.verdict !== 'fail')
        return check;
    const reason = `pending: no version that ${consumer} relies on has been verified with it yet`;
    return { ...check, verdict: 'warn', waived: true, reason };
}
function brokerOf({ broker }, http) {
    if (broker === undefined)
        return undefined;
    if (!/^https?:\/\//i.test(broker.url))
        throw new TwotokenError('usage', '--broker-url is no http or https address; expected one');
    if (broker.publish === true && broker.providerVersion === undefined)
        throw new TwotokenError('usage', '--publish needs --provider-version: the version that was verified');
    const { url, token } = broker;
    return createBroker({ url, http, ...(token === undefined ? {} : { access: { token } }) });
}
const usualSelectors = [{ mainBranch: true }, { deployedOrReleased: true }];
async function foundPacts({ role, provider = role, pacts, broker: choice }, broker, http, directory) {
    if (broker !== undefined && choice !== undefined)
        return broker.pacts({
            provider,
            selectors: choice.selectors?.map(selector) ?? usualSelectors,
            enablePending: choice.enablePending ?? false,
            ...(choice.providerBranch === undefined ? {} : { providerBranch: choice.providerBranch }),
        });
    const places = pacts?.map((place) => (/^https?:/i.test(place) ? place : resolve(directory, place)));
    const found = await Promise.all((places ?? [ownPacts]).map((place) => pactsAt(place, http)));
    return pactsOf(provider, found.flat());
}
function selector(text) {
    try {
        const value = JSON.parse(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
            return { ...value };
    }
    catch { }
    throw new TwotokenError('usage', `--selector ${text} is no JSON object; expected one such as {"deployedOrReleased":true}`);
}
/** Tells the broker what was judged, never the core's own result: a leak that Pact does not see must not be green there. */
async function publish({ providerVersion = '', providerBranch, buildUrl }, broker, { judged }, { stderr }) {
    for (const pact of new Set(judged.map(({ interaction }) => interaction.pact))) {
        const checks = judged.filter(({ interaction }) => interaction.pact === pact).map(({ check }) => check);
        const failed = checks.some(({ verdict }) => verdict === 'fail');
        const open = checks.filter(({ verdict }) => verdict === 'untested' || verdict === 'error').length;
        if (!failed && open > 0) {
            stderr.write(`nothing was published for ${pact.consumer}: ${open} of its interactions could not be judged\n`);
            continue;
        }
        await broker.publish(pact, {
            success: !failed,
            providerVersion,
            testResults: checks.map(({ id, verdict }) => ({ id, verdict })),
            ...(providerBranch === undefined ? {} : { providerBranch }),
            ...(buildUrl === undefined ? {} : { buildUrl }),
        });
        stderr.write(`published for ${pact.consumer}: ${failed ? 'failure' : 'success'}\n`);
    }
}
