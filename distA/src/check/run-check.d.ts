import type { Session } from '../parts/session.ts';
import type { AnyCheck } from './check.ts';
import { type Judgement } from './judge.ts';
/** What became of one requirement, as it stands in `results.json`. */
export interface CheckResult extends Judgement {
    readonly id: string;
    readonly title: string;
    readonly role: AnyCheck['role'];
    readonly level: AnyCheck['level'];
    readonly clauses: readonly string[];
    readonly durationMs: number;
    /** A known failure that the operator has declared: it does not count against the outcome. */
    readonly waived?: true;
    /** It rests on a profile that was detected and that nobody has confirmed. */
    readonly detected?: true;
}
/** Runs one check against the implementation of a session. Never throws: what goes wrong is a verdict, too. */
export declare function runCheck(check: AnyCheck, session: Session): Promise<CheckResult>;
