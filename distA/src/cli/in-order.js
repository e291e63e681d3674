/** One result per requirement, in the order of the catalogue; what did not get its turn says why. */
export function inOrder(checks, reports, interrupted, unaffordable) {
    return checks.map((check) => {
        const report = reports.find(({ result }) => result.id === check.id);
        if (report !== undefined)
            return report.result;
        const left = unaffordable.find(({ id }) => id === check.id);
        if (left !== undefined)
            return left;
        const { id, title, role, level, clauses } = check;
        return {
            id,
            title,
            role,
            level,
            clauses,
            verdict: interrupted ? 'untested' : 'error',
            durationMs: 0,
            reason: interrupted
                ? 'the run was interrupted before it was judged'
                : 'the worker ended before it was judged',
            findings: [],
            observations: {},
        };
    });
}
