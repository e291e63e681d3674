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
import { systemClock } from '../clock/clock.js';
import { forwardingIssuer, signingIssuer } from '../doubles/issuer.js';
import { startMintDouble } from '../doubles/mint.js';
import { mintShapes } from '../doubles/mint-shape.js';
import { TwotokenError } from '../errors.js';
import { createJournal } from '../evidence/exchange.js';
import { registerSecrets } from '../evidence/known-secrets.js';
import { createRedactor } from '../evidence/redact.js';
import { createHttpClient } from '../http/client.js';
import { createMint } from '../parts/mint.js';
import { createTurns } from '../parts/turns.js';
import { tokensIn } from '../tokens/decode.js';
import { pactVerifier } from './core.js';
import { interactionsOf } from './interaction.js';
import { judgeInteraction } from './judge.js';
import { reach } from './provider.js';
import { markHeader, markParameter, startRelay } from './relay.js';
import { commandStates, configuredStates, eitherStates, endpointStates } from './states.js';
/**
 * Verifies pacts against the provider of the configuration.
 * @throws TwotokenError `precondition` where it cannot be reached, or where there is nothing to verify
 */
export async function verifyPacts(task) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { role, configuration, core = pactVerifier } = task;
        const { limits } = configuration;
        const clock = systemClock;
        const [journal, redactor, turns] = [createJournal(), createRedactor(), createTurns()];
        registerSecrets(configuration, redactor);
        const client = {
            journal,
            redactor,
            clock,
            deadlineMs: limits.requestSeconds * 1000,
            bodyBytes: limits.bodyBytes,
            ...(task.ca === undefined ? {} : { ca: task.ca }),
        };
        const http = __addDisposableResource(env_1, createHttpClient(client)
        // What a state endpoint answers are credentials that nobody knows yet: it is no evidence, and kept nowhere.
        , true);
        // What a state endpoint answers are credentials that nobody knows yet: it is no evidence, and kept nowhere.
        const unrecorded = __addDisposableResource(env_1, createHttpClient({ ...client, journal: createJournal() }), true);
        const stack = __addDisposableResource(env_1, new AsyncDisposableStack(), true);
        const { mint, backend, token } = configuration;
        const fakeMint = role === 'backend' ? backend?.fakeMint : undefined;
        const double = fakeMint === undefined
            ? undefined
            : stack.use(await startMintDouble({
                fakeMint,
                issuer: mint === undefined
                    ? await signingIssuer(null, () => clock.wall())
                    : forwardingIssuer(createMint({ mint, token, http, redactor, clock, newUser: () => 'user-1' })),
                turns,
                journal,
                redactor,
                clock,
                bodyBytes: limits.bodyBytes,
                ...(task.doubleCertificate === undefined ? {} : { certificate: task.doubleCertificate }),
            }));
        const verify = async (scripted) => {
            const env_2 = { stack: [], error: void 0, hasError: false };
            try {
                const provider = await reach(role, configuration, http);
                if (scripted !== undefined && mint === undefined && backend !== undefined)
                    await settleShape(scripted, backend, http);
                const pacts = task.choose(provider);
                const interactions = interactionsOf(pacts);
                if (interactions.length === 0)
                    throw new TwotokenError('precondition', `nothing was verified: ${pacts.map(({ source }) => source).join(', ')} holds no interaction`);
                const startedAt = clock.monotonic();
                const applies = interactions.filter((interaction) => provider.doesNotApply(interaction) === null);
                const own = task.stateUrl !== undefined
                    ? endpointStates(task.stateUrl, unrecorded)
                    : task.stateCommand !== undefined
                        ? commandStates(task.stateCommand, configuration.directory)
                        : undefined;
                const relay = __addDisposableResource(env_2, await startRelay({
                    to: role,
                    http,
                    handleState: async (state, action) => {
                        const outcome = await eitherStates(own, configuredStates(configuration, scripted))(state, action);
                        if (outcome.kind === 'ready')
                            registerValues(outcome.values, redactor);
                        return outcome;
                    },
                    interactions: applies,
                    provider,
                }), true);
                const requestMs = limits.requestSeconds * 1000 + 2000;
                const results = applies.length === 0
                    ? []
                    : await core({
                        pacts: markedPacts(applies),
                        provider: pacts[0]?.provider ?? role,
                        port: relay.port,
                        stateUrl: relay.stateUrl,
                        requestMs,
                        totalMs: 30_000 + 2 * requestMs * applies.length,
                    });
                const perInteraction = (clock.monotonic() - startedAt) / interactions.length;
                const keys = [mint?.apiKey, mint?.keys.trialEnded?.key, mint?.keys.suspended?.key, mint?.keys.capped?.key];
                const judged = interactions.map((interaction) => {
                    const reason = provider.doesNotApply(interaction);
                    const check = judgeInteraction({
                        interaction,
                        role,
                        seen: reason === null ? relay.seen(interaction) : { states: [], replies: [] },
                        result: results.find(({ description }) => description === markedDescription(interaction)),
                        keys: [...keys, fakeMint?.apiKey].filter((key) => key !== undefined),
                        durationMs: perInteraction,
                    });
                    const aside = { ...check, verdict: provider.asideAs, reason, findings: [] };
                    return { interaction, check: reason === null ? cleaned(check, redactor) : aside };
                });
                judged.sort((left, right) => left.check.id.localeCompare(right.check.id));
                return { judged, exchanges: journal.drain(), secrets: redactor.drain() };
            }
            catch (e_2) {
                env_2.error = e_2;
                env_2.hasError = true;
            }
            finally {
                const result_2 = __disposeResources(env_2);
                if (result_2)
                    await result_2;
            }
        };
        return double === undefined ? await verify(undefined) : await double.alone(verify);
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
/** Without a real mint nothing says which body shape the backend understands: the first that it makes a token of. */
async function settleShape(double, { url, method, sessions }, http) {
    const headers = [['authorization', `Bearer ${sessions.alice?.token ?? ''}`]];
    for (const shape of mintShapes) {
        double.shape(shape);
        const reply = await http.send({ to: 'backend', method, url, headers, followRedirects: true });
        if (reply.kind === 'answer' && reply.status < 300 && tokensIn(reply.body).length > 0)
            return;
    }
    double.shape(null);
}
function registerValues(values, redactor) {
    for (const [name, value] of Object.entries(values))
        if (typeof value === 'string')
            redactor.register(/key/i.test(name) ? 'api-key' : 'session', value);
}
function markedDescription({ number, source }) {
    return `#${number} ${source.description}`;
}
/** The pacts as the core gets them: every interaction and each of its states is marked, and none is pending. */
function markedPacts(interactions) {
    const pacts = new Map(interactions.map(({ pact }) => [pact, interactions.filter((other) => other.pact === pact)]));
    return [...pacts].map(([{ content }, own]) => ({ ...content, interactions: own.map(marked) }));
}
function marked(interaction) {
    const { number, source, states } = interaction;
    const { providerState: _, ...rest } = source;
    const headers = source.request?.['headers'];
    return {
        ...rest,
        description: markedDescription(interaction),
        pending: false,
        providerStates: states.map(({ name, params }) => ({
            name,
            params: { ...params, [markParameter]: number },
        })),
        request: { ...source.request, headers: { ...(headers ?? {}), [markHeader]: String(number) } },
    };
}
function cleaned(result, redactor) {
    return {
        ...result,
        reason: result.reason === null ? null : redactor.text(result.reason),
        findings: result.findings.map((finding) => ({ ...finding, message: redactor.text(finding.message) })),
    };
}
