import type { CheckResult } from '../../check/run-check.ts';
import type { Exchange } from '../../evidence/exchange.ts';
import type { RunResults } from '../results.ts';
/** A requirement that is not as it should be: what was seen and expected, by which clause, on which evidence. */
export declare function requirementHtml(check: CheckResult, run: RunResults, exchanges: ReadonlyMap<string, Exchange>): string;
/** Filled in from the log when it is opened; without scripts it names the exchanges. */
export declare function moreExchangesHtml(ids: readonly string[], text?: string): string;
