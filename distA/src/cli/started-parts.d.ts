import type { CheckResult } from '../check/run-check.ts';
import type { Exchange } from '../evidence/exchange.ts';
import { type Registered } from '../evidence/redact.ts';
import type { StartedPart } from '../reports/results.ts';
import type { Started } from '../start/started.ts';
/** A part as it stands in the results, with the text of its log. */
export interface PartLog extends StartedPart {
    readonly text: string;
}
/** `secrets` are those that came up while the checks ran: a part may print what it was sent. */
export declare function partLogs(started: Started, secrets: readonly Registered[]): Promise<PartLog[]>;
/** By the name of the file. */
export declare function logFiles(parts: readonly PartLog[]): Record<string, string>;
/** One line for each part to which something happened while the checks ran. */
export declare function partNotes(parts: readonly PartLog[]): string[];
/** A verdict that rests on a conversation which broke off says what had happened to the part at the other end. */
export declare function withPartNotes(checks: readonly CheckResult[], exchanges: readonly Exchange[], parts: readonly PartLog[]): CheckResult[];
