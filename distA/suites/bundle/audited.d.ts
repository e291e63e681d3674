import type { AuditResult, Finding } from '../../src/audit/finding.ts';
import { type Judge } from '../../src/check/judge.ts';
import type { Common } from '../../src/parts/parts.ts';
/**
 * The audit of `bundle.paths`, which the requirements of a run share. The mint's host is known from its URL too, and
 * what its tokens look like from one of them.
 */
export declare function audited(common: Common): Promise<AuditResult>;
/** An error is a breach, a warning an advice; notes are counted. */
export declare function judgeFindings(judge: Judge, findings: readonly Finding[], expected: string): void;
