import { basename, isAbsolute } from 'node:path';
import { outcomeOf, verdicts } from '../check/verdict.js';
import { version } from '../version.js';
export function resultsOf(run) {
    const summary = summaryOf(run.checks);
    const dotted = run.checks.flatMap(({ observations }) => Object.entries(observations).filter(([name]) => name.includes('.')));
    return {
        tool: { name: 'twotoken', version },
        target: run.target,
        startedAt: run.startedAt.toISOString(),
        durationMs: Math.round(run.durationMs),
        outcome: outcomeOf(summary),
        ...(run.interrupted ? { interrupted: true } : {}),
        // Whoever reads a report need not know where its author keeps things.
        ...(run.config === undefined
            ? {}
            : { config: isAbsolute(run.config) ? basename(run.config) : run.config }),
        seed: run.seed,
        ...(run.shard === undefined ? {} : { shard: run.shard }),
        summary,
        checks: run.checks,
        observations: Object.fromEntries(dotted),
        exchanges: run.exchanges,
        ...(run.parts === undefined || run.parts.length === 0 ? {} : shownParts(run.parts)),
    };
}
/** How many requirements came out how. */
export function summaryOf(checks) {
    const counts = verdicts.map((verdict) => [
        verdict,
        checks.filter((check) => check.verdict === verdict).length,
    ]);
    return Object.fromEntries(counts);
}
/** Without what a part's log holds: that is a file of its own. */
function shownParts(parts) {
    return {
        artefacts: parts.map(({ part, log }) => ({ title: `what the ${part} printed`, file: log })),
        parts: parts.map(({ part, image, state, events, log }) => ({
            part,
            ...(image === undefined ? {} : { image }),
            state,
            events,
            log,
        })),
    };
}
