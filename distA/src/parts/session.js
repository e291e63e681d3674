import { randomBytes } from 'node:crypto';
import { createBrowserSource } from '../client/browser.js';
import { createEvidence } from '../client/evidence.js';
import { createClientPart, spokenProfile } from '../client/part.js';
import { speechOf } from '../client/speech.js';
import { systemClock } from '../clock/clock.js';
import { forwardingIssuer, signingIssuer } from '../doubles/issuer.js';
import { startMintDouble } from '../doubles/mint.js';
import { settleShape } from '../doubles/settle-shape.js';
import { TwotokenError } from '../errors.js';
import { createJournal } from '../evidence/exchange.js';
import { registerSecrets } from '../evidence/known-secrets.js';
import { createRedactor } from '../evidence/redact.js';
import { createHttpClient } from '../http/client.js';
import { missingOracle } from '../signaling/profile.js';
import { createTaps } from '../taps/records.js';
import { trusted } from '../tls/trusted.js';
import { loadJwks } from '../tokens/jwks.js';
import { loadSigningKey } from '../tokens/signing-key.js';
import { createBackend } from './backend.js';
import { tokensOfBackend, tokensOfMint } from './calling-tokens.js';
import { createExpiry } from './expiry.js';
import { createMint } from './mint.js';
import { createMintBudget } from './mint-budget.js';
import { firstMissing, missingPart } from './parts.js';
import { randomFrom } from './random.js';
import { createSignalingPart } from './signaling.js';
import { signalingDriver } from './signaling-driver.js';
import { createTurns } from './turns.js';
/** Connects nothing yet but the doubles; throws `TwotokenError` when one of those cannot be started. */
export async function openSession(configuration, { wait = true, seed = randomBytes(4).readUInt32LE(), clock = systemClock, doubleCertificate, maxMints, browsers, exchangePrefix, environment = {}, observer, evidenceFolder, onWaiting = () => { }, } = {}) {
    const { mint, backend, signaling, token, limits, client } = configuration;
    const journal = createJournal(exchangePrefix);
    const runStart = clock.monotonic();
    const redactor = createRedactor();
    registerSecrets(configuration, redactor);
    const ca = await trusted(configuration.tls.ca);
    const clientOf = (from) => createHttpClient({
        journal,
        redactor,
        clock,
        ...(ca === undefined ? {} : { ca }),
        runStart,
        deadlineMs: limits.requestSeconds * 1000,
        bodyBytes: limits.bodyBytes,
        from,
    });
    const http = clientOf('suite');
    // A backend under test must never wait behind the suite's own requests.
    const forwarding = clientOf('mint-double');
    const random = randomFrom(seed);
    const run = seed.toString(36);
    let users = 0;
    const newUser = () => `tt-${run}-${++users}-${Math.floor(random() * 36 ** 6).toString(36)}`;
    const turns = createTurns();
    const mintBudget = createMintBudget(maxMints ?? null);
    // A backend that was refused a token for our sake would look broken: what goes through the double only counts.
    const counting = {
        ...mintBudget,
        async within(ask, hasIssued) {
            const outcome = await ask();
            if (hasIssued(outcome))
                mintBudget.count();
            return outcome;
        },
    };
    const mintThrough = (client, budget) => mint && createMint({ mint, token, http: client, redactor, clock, newUser, budget });
    const mintPart = mintThrough(http, mintBudget);
    const alice = backend?.sessions.alice;
    const onSuccess = () => {
        if (backend?.fakeMint === undefined)
            mintBudget.count();
    };
    const backendPart = backend && alice && createBackend({ backend, alice, http, redactor, turns, onSuccess });
    const testKey = token.signWith && (await loadSigningKey(token.signWith));
    const mintDouble = backend?.fakeMint && (await openDouble());
    async function openDouble() {
        const fakeMint = backend?.fakeMint;
        if (fakeMint === undefined)
            throw new TwotokenError('internal', 'no mint double is configured');
        const realMint = mintThrough(forwarding, counting);
        const issuer = realMint === undefined
            ? await signingIssuer(testKey ?? null, () => clock.wall())
            : forwardingIssuer(realMint);
        return await startMintDouble({
            fakeMint,
            issuer,
            turns,
            journal,
            redactor,
            clock,
            runStart,
            bodyBytes: limits.bodyBytes,
            ...(doubleCertificate === undefined ? {} : { certificate: doubleCertificate }),
        });
    }
    if (mintDouble !== undefined && mintPart === undefined && backendPart !== undefined)
        await settleShape(mintDouble, backendPart);
    const doubleServesSignaling = mintDouble === undefined || mintDouble.issuesRealTokens;
    const callingTokens = mintPart !== undefined
        ? tokensOfMint(mintPart, newUser)
        : backendPart !== undefined && doubleServesSignaling
            ? tokensOfBackend(backendPart)
            : undefined;
    const access = signaling?.access;
    const noOracle = access !== undefined && 'profile' in access ? missingOracle(access.profile) : null;
    const signalingPart = signaling === undefined || access === undefined || noOracle !== null
        ? undefined
        : createSignalingPart({
            signaling,
            driver: await signalingDriver(signaling.url, access, {
                journal,
                redactor,
                clock,
                runStart,
                limits,
                ...(ca === undefined ? {} : { ca }),
            }),
            tokens: callingTokens ?? null,
            redactor,
            clock,
        });
    const { tapRecords } = configuration;
    const taps = tapRecords && createTaps(tapRecords, journal, redactor);
    const source = browsers ?? createBrowserSource(client?.browser === undefined ? {} : { path: client.browser });
    const evidence = evidenceFolder === undefined ? null : await createEvidence(evidenceFolder, redactor);
    const clientPartFor = (checkId) => createClientPart({
        configuration,
        testKey: testKey ?? null,
        ca,
        browsers: source,
        environment,
        follow: async (context) => (await evidence?.follow(checkId, context)) ?? (() => Promise.resolve()),
        ...(observer === undefined ? {} : { observer }),
        journal,
        redactor,
        clock,
        runStart,
    });
    const spoken = spokenProfile(configuration);
    const jwksSource = token.jwks;
    const needed = (checkId) => {
        const clientPart = clientPartFor(checkId);
        return {
            ...(mintPart && { mint: mintPart }),
            expiry: createExpiry({
                mint: mintPart ?? null,
                clock,
                limits,
                wait,
                onWaiting: (seconds) => onWaiting(checkId, seconds),
            }),
            ...(mint?.otherProjectKey && { otherProjectKey: mint.otherProjectKey }),
            ...(mint?.keys.trialEnded && { trialEndedKey: mint.keys.trialEnded }),
            ...(mint?.keys.suspended && { suspendedKey: mint.keys.suspended }),
            ...(mint?.keys.capped && { cappedKey: mint.keys.capped }),
            ...(backendPart && { backend: backendPart }),
            ...(backend?.sessions.bob && { bob: backend.sessions.bob }),
            ...(backend?.sessions.aliceSecondDevice && { aliceSecondDevice: backend.sessions.aliceSecondDevice }),
            ...(backend?.sessions.expired && { expiredSession: backend.sessions.expired.token }),
            ...(backend?.sessions.signedOut && { signedOutSession: backend.sessions.signedOut.token }),
            ...(mintDouble && { mintDouble }),
            ...(signalingPart && { signaling: signalingPart }),
            ...(callingTokens && { callingTokens }),
            ...(jwksSource && { jwks: () => loadJwks(jwksSource, http) }),
            ...(testKey && { testKey }),
            ...(taps && { taps }),
            ...(clientPart && { client: clientPart }),
            ...(client?.users['bob'] && { clientBob: client.users['bob'] }),
            ...(spoken && {
                signalingDouble: speechOf(spoken, { seesStatus: clientPart?.kind !== 'page' }).refusals,
            }),
        };
    };
    return {
        configuration,
        clock,
        journal,
        redactor,
        http,
        mintBudget,
        settleEvidence: async (checkId, isWanted) => (await evidence?.settle(checkId, isWanted)) ?? [],
        partsFor(check, judge) {
            const all = needed(check.id);
            const missing = firstMissing(check.needs.filter((need) => all[need] === undefined), configuration, noOracle);
            if (missing !== null)
                return { missing };
            const common = {
                configuration,
                http,
                clock,
                redactor,
                newUser,
                random,
                available: (need) => all[need],
                optional(need) {
                    const part = all[need];
                    if (part !== undefined)
                        return part;
                    const { verdict, reason } = missingPart(need, configuration);
                    if (verdict === 'untested')
                        judge.untested(reason);
                    else
                        judge.notApplicable(reason);
                    return undefined;
                },
            };
            return { ...all, ...common };
        },
        async [Symbol.asyncDispose]() {
            await evidence?.[Symbol.asyncDispose]();
            if (browsers === undefined)
                await source[Symbol.asyncDispose]();
            await mintDouble?.[Symbol.asyncDispose]();
            await http[Symbol.asyncDispose]();
            await forwarding[Symbol.asyncDispose]();
        },
    };
}
