export const needTexts = {
    mint: { wants: 'mint.url and mint.apiKey' },
    expiry: { wants: 'time to wait for a token to expire' },
    otherProjectKey: { wants: "mint.otherProjectKey, a second project's key", absent: 'secondProject' },
    trialEndedKey: { wants: 'mint.keys.trialEnded, a key whose trial has ended', absent: 'trial' },
    suspendedKey: { wants: 'mint.keys.suspended, a key of a suspended project', absent: 'suspension' },
    cappedKey: { wants: 'mint.keys.capped, a key at its trial mint cap', absent: 'mintCap' },
    backend: { wants: 'backend.url and backend.sessions.alice' },
    bob: { wants: 'backend.sessions.bob, a second logged-in user' },
    aliceSecondDevice: {
        wants: "backend.sessions.aliceSecondDevice, alice's session on another device",
        absent: 'secondDevice',
    },
    expiredSession: { wants: 'backend.sessions.expired, a session that has expired', absent: 'expiredSession' },
    signedOutSession: { wants: 'backend.sessions.signedOut, a session that was signed out' },
    mintDouble: {
        wants: "backend.fakeMint, with the backend under test pointed at the suite's mint double",
        absent: 'switchableMint',
    },
    signaling: { wants: 'signaling.url and signaling.profile (or adapter)' },
    callingTokens: { wants: 'a source of calling tokens: mint, or backend' },
    jwks: { wants: "token.jwks, the service's published keys", absent: 'jwks' },
    testKey: { wants: 'token.signWith, a key that a test deployment of signaling trusts', absent: 'testKey' },
    taps: { wants: 'start.containers, with which the suite stands between the parts' },
    client: { wants: 'client.url and client.driver, or client.command' },
    clientBob: { wants: 'client.users.bob, a second user' },
    signalingDouble: { wants: 'signaling.profile (an adapter alone says nothing that a double could speak)' },
};
/** The reason in the words of the configuration. */
export function missingPart(need, configuration) {
    const { wants, absent } = needTexts[need];
    const declared = configuration.absent.find(({ what }) => what === absent);
    return declared === undefined
        ? { verdict: 'untested', reason: `needs ${wants}` }
        : { verdict: 'not-applicable', reason: `declared absent (${declared.what}): ${declared.reason}` };
}
/** Why a check cannot run, in one verdict: what does not apply outranks what is missing. Null where nothing lacks. */
export function firstMissing(lacking, configuration, noOracle) {
    const missing = lacking.map((need) => need === 'signaling' && noOracle !== null
        ? { verdict: 'untested', reason: `no oracle: ${noOracle}` }
        : missingPart(need, configuration));
    const verdict = missing.some((one) => one.verdict === 'not-applicable') ? 'not-applicable' : 'untested';
    const reasons = missing.filter((one) => one.verdict === verdict).map(({ reason }) => reason);
    return reasons.length === 0 ? null : { verdict, reason: [...new Set(reasons)].join('; ') };
}
