import type { CheckReport } from '../runner/protocol.ts';
export interface Progress {
    started(total: number): void;
    waiting(title: string, seconds: number): void;
    finished(report: CheckReport): void;
    end(): void;
}
export interface Terminal {
    readonly isTTY: boolean;
    readonly columns: number;
    write(text: string): void;
}
/** What runs and what waits, live: one line that is rewritten on a terminal, a line per event elsewhere. */
export declare function createProgress(terminal: Terminal, now: () => number): Progress;
