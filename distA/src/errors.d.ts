/** What can go wrong with a command as a whole. The set is closed: the command line maps each to an exit code. */
export type ErrorCode = 'usage' | 'configuration' | 'credential' | 'precondition' | 'unwritable' | 'secret-in-output' | 'internal';
/** A failure that a user reads as one sentence. Anything else that is thrown is converted at the boundary. */
export declare class TwotokenError extends Error {
    readonly name = "TwotokenError";
    readonly code: ErrorCode;
    constructor(code: ErrorCode, message: string, cause?: unknown);
}
export declare function isErrorCode(code: unknown): code is ErrorCode;
/** The process exit code for anything thrown: unknown errors count as the suite's own failure. */
export declare function exitCodeOf(error: unknown): number;
