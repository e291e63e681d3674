/** A failure that a user reads as one sentence. Anything else that is thrown is converted at the boundary. */
export class TwotokenError extends Error {
    name = 'TwotokenError';
    code;
    constructor(code, message, cause) {
        super(message, cause === undefined ? undefined : { cause });
        this.code = code;
    }
}
const exitCodes = {
    usage: 2,
    configuration: 2,
    credential: 2,
    precondition: 2,
    unwritable: 4,
    'secret-in-output': 4,
    internal: 4,
};
export function isErrorCode(code) {
    return typeof code === 'string' && Object.hasOwn(exitCodes, code);
}
/** The process exit code for anything thrown: unknown errors count as the suite's own failure. */
export function exitCodeOf(error) {
    return error instanceof TwotokenError ? exitCodes[error.code] : exitCodes.internal;
}
