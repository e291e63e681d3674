import { ControlLost, createJudge, Untested } from './judge.js';
/** As many exchanges as a reader may want to look at. */
const shownEvidence = 50;
/** Runs one check against the implementation of a session. Never throws: what goes wrong is a verdict, too. */
export async function runCheck(check, session) {
    const { id, title, role, level, clauses } = check;
    const startedAt = session.clock.monotonic();
    const judge = createJudge(level);
    const conclude = (judgement) => ({
        id,
        title,
        role,
        level,
        clauses,
        ...cleaned(judgement, session.redactor.text),
        durationMs: Math.round(session.clock.monotonic() - startedAt),
    });
    const parts = session.partsFor(check, judge);
    if ('missing' in parts) {
        const { verdict, reason } = parts.missing;
        return conclude({ verdict, reason, findings: [], observations: {} });
    }
    const probe = async () => {
        try {
            await check.run(parts, judge);
        }
        catch (error) {
            if (error instanceof Untested)
                judge.untested(error.message);
            else if (error instanceof ControlLost)
                judge.lost(`control failed: ${error.message}`, error.evidence);
            else
                judge.lost(`the suite failed: ${error instanceof Error ? error.message : String(error)}`);
        }
    };
    let isCutShort = false;
    const evidence = await session.journal.during(async () => {
        isCutShort = await session.mintBudget.watch(probe);
    });
    if (isCutShort)
        return conclude(cutShort(judge.conclude()));
    return conclude(withEvidence(judge.conclude(), level, evidence));
}
/** A check that was denied a token on its way saw only half of what it judges by: it accuses nobody. */
function cutShort({ observations }) {
    const reason = 'the calling tokens of --max-mints were used up before it was through';
    return { verdict: 'untested', reason, findings: [], observations };
}
/** A verdict that found nothing wrong rests on evidence, too: on all that was exchanged for it. */
function withEvidence(judgement, level, evidence) {
    const { verdict, findings } = judgement;
    if ((verdict !== 'pass' && verdict !== 'info') || findings.length > 0 || evidence.length === 0)
        return judgement;
    const message = `${verdict === 'pass' ? 'held' : 'observed'} in ${evidence.length} exchange${evidence.length === 1 ? '' : 's'}`;
    return { ...judgement, findings: [{ level, verdict, message, evidence: evidence.slice(0, shownEvidence) }] };
}
/** Findings and observations quote what a peer sent: they pass the redactor like every exchange. */
function cleaned(judgement, clean) {
    const deep = (value) => {
        if (typeof value === 'string')
            return clean(value);
        if (Array.isArray(value))
            return value.map(deep);
        if (typeof value === 'object' && value !== null)
            return Object.fromEntries(Object.entries(value).map(([key, item]) => [clean(key), deep(item)]));
        return value;
    };
    return deep(judgement);
}
