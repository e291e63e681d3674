/** One way in which an answer differed from the pact. */
export interface Mismatch {
    readonly part: 'status' | 'header' | 'body' | 'other';
    /** Status or text; for a header its name, for a body its path stands in `at`. */
    readonly at: string;
    readonly expected: string;
    readonly actual: string;
    /** The core's own words. */
    readonly text: string;
}
/** What the core made of one interaction. */
export interface CoreResult {
    readonly description: string;
    readonly ok: boolean;
    readonly mismatches: readonly Mismatch[];
    /** Why it could not be compared at all. */
    readonly error: string | null;
}
export interface CoreOptions {
    readonly pacts: readonly Readonly<Record<string, unknown>>[];
    readonly provider: string;
    readonly port: number;
    readonly stateUrl: string;
    /** Bounds one request, a state change included. */
    readonly requestMs: number;
    /** Bounds everything. */
    readonly totalMs: number;
}
/** Verifies pacts against a provider on loopback. */
export type Core = (options: CoreOptions) => Promise<CoreResult[]>;
/**
 * The Pact core's own verifier, a program that its npm package ships. It sends bodies as they are; what it finds is
 * read from its report, never from its exit code, which is 0 for an empty folder too.
 * @throws TwotokenError `internal` where it cannot be started or leaves no report
 */
export declare const pactVerifier: Core;
/** The program that the package of the Pact command line ships for this machine. */
export declare function pactProgram(): string;
