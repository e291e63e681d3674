import { createJudge } from '../check/judge.js';
import { tokensIn } from '../tokens/decode.js';
import { keysIn } from './leaks.js';
/** Turns what the core reported and what was seen on the wire into one verdict. A result without an exchange is none. */
export function judgeInteraction(verified) {
    const { interaction, role, durationMs } = verified;
    const judge = createJudge(interaction.level === 'INFO' ? 'MUST' : interaction.level);
    judge.observe('consumer', interaction.pact.consumer);
    judge.observe('requirements', interaction.requirements);
    judgeParts(verified, judge);
    return {
        id: interaction.id,
        title: interaction.source.description,
        role,
        level: interaction.level,
        clauses: [],
        ...judge.conclude(),
        durationMs: Math.round(durationMs),
    };
}
function judgeParts(verified, judge) {
    const { seen, result } = verified;
    const unprepared = unpreparedState(verified);
    const reply = seen.replies.at(-1);
    if (unprepared?.kind === 'broken')
        judge.lost(unprepared.reason);
    else if (unprepared?.kind === 'impossible')
        judge.untested(unprepared.reason);
    else if (result === undefined)
        judge.lost('the Pact verifier gave no result for it');
    else if (reply === undefined)
        judge.lost('its request never reached the provider');
    else if (reply.kind === 'no-answer')
        judgeSilence(reply, judge);
    else {
        judgeLeak(verified, reply, judge);
        judgeToken(verified, reply, judge);
        judgeAnswer(verified, result, reply, judge);
    }
}
/** The first state that was not set up, or not with every value that the request is made with. */
function unpreparedState({ interaction, seen }) {
    const { states, replies } = seen;
    for (const kind of ['broken', 'impossible'])
        for (const state of states)
            if (state.kind === kind)
                return state;
    if (replies.length === 0)
        return null;
    const given = new Set(states.flatMap((state) => (state.kind === 'ready' ? Object.keys(state.values) : [])));
    const missing = interaction.injected.filter((name) => !given.has(name));
    if (missing.length === 0)
        return null;
    return { kind: 'impossible', reason: `the set-up of its state gave no ${missing.join(' and no ')}` };
}
function judgeSilence({ failure, message, exchange }, judge) {
    if (['refused', 'name', 'tls'].includes(failure))
        judge.lost(`the provider ${message}`, [exchange]);
    else
        judge.must(false, { saw: `a provider that ${message}`, expected: 'an answer', evidence: [exchange] });
}
/** A mint that echoes the key in a refusal tells it to nobody who has not sent it: that is only advised against. */
function judgeLeak({ role, keys }, answer, judge) {
    const part = role === 'mint' && !succeeded(answer) ? judge.advisory : judge.must;
    for (const place of keysIn(answer, keys))
        part(false, {
            saw: `an API key in ${place} of the answer`,
            expected: 'an answer without any key',
            evidence: [answer.exchange],
        });
}
/** What a matcher cannot say: a refusal holds no token besides what is pinned, and what looks like a JWT is one. */
function judgeToken({ interaction, result }, answer, judge) {
    if (!interaction.own || result?.ok !== true)
        return;
    const evidence = [answer.exchange];
    if (interaction.status >= 400)
        judge.must(issued(answer).length === 0, {
            saw: `status ${answer.status} with a token`,
            expected: 'a refusal without any token',
            evidence,
        });
    else
        judge.must(tokensIn(answer.body).length > 0, {
            saw: 'a string in the form of a JWT whose header is no JSON object',
            expected: 'a JWT',
            evidence,
        });
}
function judgeAnswer({ interaction, seen }, { ok, mismatches, error }, answer, judge) {
    const vouched = seen.states.every((state) => state.kind === 'ready' && state.vouched);
    if (ok)
        judge.must(true, { saw: 'a match', expected: 'a match' });
    else if (unmetIn(seen) !== null)
        judge.untested(unmetIn(seen) ?? '');
    else if (isRefusedLifetime(interaction, answer))
        judge.untested('it refuses the lifetime that the contract asks for, and limits on lifetimes are not specified');
    else if (mismatches.length === 0) {
        const why = `the Pact verifier could not compare the answer: ${error ?? 'it gave no reason'}`;
        judge.lost(why, [answer.exchange]);
    }
    else if (!vouched && succeeded(answer)) {
        const why = 'precondition not met: the key is not in its state; set attested: true where it is';
        judge.lost(why, [answer.exchange]);
    }
    else {
        const part = partFor(interaction, answer, judge);
        for (const mismatch of mismatches)
            part(false, observed(mismatch, answer));
    }
}
/** Only a value out of range: what else a mint refuses an ordinary request for is a breach. */
function isRefusedLifetime({ own, requirements, status }, answer) {
    return own && requirements.includes('MINT-10') && status < 300 && [400, 422].includes(answer.status);
}
function unmetIn({ states }) {
    const reasons = states.map((state) => (state.kind === 'ready' ? (state.unmet?.() ?? null) : null));
    return reasons.find((reason) => reason !== null) ?? null;
}
/** Where the contract expects a refusal and the provider did refuse, how it did so is as binding as its requirement. */
function partFor(interaction, answer, judge) {
    const refused = interaction.status >= 400 && answer.status >= 300 && issued(answer).length === 0;
    if (!refused)
        return judge.must;
    switch (interaction.level) {
        case 'SHOULD':
            return judge.should;
        case 'TYPICAL':
            return judge.typical;
        case 'ADVISORY':
            return judge.advisory;
        case 'INFO':
            return (_, { saw }) => {
                judge.observe('refusal', saw);
                judge.onlyObserved(`it refuses with ${saw}`);
                return true;
            };
        default:
            return judge.must;
    }
}
function succeeded({ status }) {
    return status >= 200 && status < 300;
}
/** Tokens in the answer that the request did not hold: an echo issues nothing. */
function issued({ body, sent }) {
    return tokensIn(body).filter((token) => !sent.includes(token));
}
function observed({ part, at, expected, actual, text }, { exchange, status }) {
    const evidence = [exchange];
    if (part === 'status')
        return { saw: `status ${actual || status}`, expected: `status ${expected}`, evidence };
    const place = part === 'header' ? `the header ${at}` : part === 'body' ? `the body at ${at || '$'}` : 'the answer';
    return {
        saw: `${place}: ${clipped(text || actual)}`,
        expected: `what the pact says: ${clipped(expected)}`,
        evidence,
    };
}
function clipped(text) {
    return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
