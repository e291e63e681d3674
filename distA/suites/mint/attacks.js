/**
 * Sends requests that must not mint between two ordinary ones, each for a user of its own. They are judged before
 * the second control: a token that was issued stays a violation when that is lost.
 */
export function attack({ mint, newUser }, judge, attacks, judgeOutcomes) {
    const send = async ({ name, request }) => {
        // Followed within the origin like a control: a redirect on its own is no refusal.
        const reply = await mint.request({ followRedirects: true, ...request });
        const status = reply.kind === 'answer' ? reply.status : null;
        return { name, reply, status, hasMinted: mint.issuedBy(reply) !== null };
    };
    return judge.sandwich(() => mint.token(newUser()), async () => judgeOutcomes(await Promise.all(attacks.map(send))));
}
/**
 * The part that is a MUST wherever no token may be issued. Where a limit on the rate set in while others were
 * answered as such, those behind it were refused for another reason than their own.
 */
export function judgeNothingMinted(judge, outcomes) {
    const minted = outcomes.filter(({ hasMinted }) => hasMinted);
    judge.must(minted.length === 0, {
        saw: `a token issued to a request with ${listed(minted.map(({ name }) => name))}`,
        expected: 'no token',
        evidence: minted.map(({ reply }) => reply.exchange),
    });
    const limited = limitedOf(outcomes);
    if (limited.length > 0)
        judge.untested(`a limit on the rate (429) set in before ${listed(limited.map(({ name }) => name))}`);
}
/** The status that clause 7 calls typical; answers that held a token are judged already. */
export function judgeTypicalStatus(judge, outcomes, typical) {
    const limited = typical === 429 ? [] : limitedOf(outcomes);
    const refused = outcomes.filter((outcome) => !outcome.hasMinted && !limited.includes(outcome));
    const others = refused.filter(({ status }) => status !== typical);
    judge.typical(others.length === 0, {
        saw: listed(others.map(({ name, status }) => `${shownStatus(status)} for a request with ${name}`)),
        expected: `the status ${typical}`,
        evidence: others.map(({ reply }) => reply.exchange),
    });
}
function limitedOf(outcomes) {
    const limited = outcomes.filter(({ status }) => status === 429);
    return limited.length === outcomes.length ? [] : limited;
}
function shownStatus(status) {
    return status === null ? 'no answer' : `the status ${status}`;
}
function listed(names) {
    return new Intl.ListFormat('en').format(names);
}
