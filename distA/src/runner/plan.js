function costOf({ mints = 0 }) {
    return mints;
}
/** Takes them in their order; one that costs too much does not keep out cheaper ones behind it. */
export function planMints(checks, limit, spent) {
    const cost = checks.reduce((sum, check) => sum + costOf(check), 0);
    if (limit === null)
        return { within: checks, beyond: [], cost };
    const within = [];
    const beyond = [];
    let left = Math.max(0, limit - spent);
    for (const check of checks) {
        const own = costOf(check);
        if (own <= left) {
            left -= own;
            within.push(check);
        }
        else
            beyond.push(unaffordable(check, own, left, limit));
    }
    return { within, beyond, cost };
}
function unaffordable(check, own, left, limit) {
    const { id, title, role, level, clauses } = check;
    const reason = `may mint ${own} calling tokens, and ${left} of the ${limit} of --max-mints are left for it`;
    return {
        id,
        title,
        role,
        level,
        clauses,
        verdict: 'untested',
        durationMs: 0,
        reason,
        findings: [],
        observations: {},
    };
}
