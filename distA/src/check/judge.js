import { verdictOfBreach, worst } from './verdict.js';
/** The control of a negative case failed: the case says nothing about the implementation. */
export class ControlLost extends Error {
    name = 'ControlLost';
    evidence;
    constructor(message, evidence = []) {
        super(message);
        this.evidence = evidence;
    }
}
/** Something that the check needs turns out to be missing while it runs. */
export class Untested extends Error {
    name = 'Untested';
}
export function createJudge(level) {
    const findings = [];
    const observations = {};
    const verdictsOfParts = [];
    const reasons = [];
    let observedOnly = level === 'INFO';
    const part = (partLevel) => (holds, observed) => {
        if (holds) {
            verdictsOfParts.push('pass');
            return true;
        }
        const verdict = verdictOfBreach(partLevel);
        verdictsOfParts.push(verdict);
        const message = `saw ${observed.saw}; expected ${observed.expected}`;
        if (!findings.some((known) => known.message === message && known.verdict === verdict))
            findings.push({ level: partLevel, verdict, message, evidence: observed.evidence ?? [] });
        return false;
    };
    const aside = (verdict, reason) => {
        verdictsOfParts.push(verdict);
        if (!reasons.includes(reason))
            reasons.push(reason);
    };
    const judge = {
        must: part('MUST'),
        should: part('SHOULD'),
        typical: part('TYPICAL'),
        advisory: part('ADVISORY'),
        observe(name, value) {
            observations[name] = value;
        },
        untested: (reason) => aside('untested', reason),
        lost(reason, evidence = []) {
            aside('error', reason);
            if (evidence.length > 0)
                findings.push({ level, verdict: 'error', message: reason, evidence });
        },
        notApplicable: (reason) => aside('not-applicable', reason),
        onlyObserved(reason) {
            observedOnly = true;
            if (!reasons.includes(reason))
                reasons.push(reason);
        },
        async sandwich(control, attacks) {
            await control();
            await attacks();
            await control();
        },
        conclude() {
            const least = verdictsOfParts.every((verdict) => verdict === 'not-applicable') && verdictsOfParts.length > 0
                ? 'not-applicable'
                : 'info';
            const judged = worst(verdictsOfParts, least);
            const nothingJudged = verdictsOfParts.length === 0 && !observedOnly;
            const verdict = nothingJudged ? 'error' : judged === 'pass' && observedOnly ? 'info' : judged;
            return {
                verdict,
                reason: nothingJudged ? 'the check judged nothing' : reasons.length === 0 ? null : reasons.join('; '),
                findings,
                observations,
            };
        },
    };
    return judge;
}
