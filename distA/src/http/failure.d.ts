export declare class BodyTooLarge extends Error {
}
export declare class TooManyRedirects extends Error {
}
/** The ways in which a peer can fail to give a whole answer. */
export type FailureKind = 'refused' | 'name' | 'tls' | 'timeout' | 'reset' | 'too-large' | 'redirects' | 'protocol';
/** Tells what an error of the transport means, in a clause that completes "the mint …". */
export declare function failureOf(error: unknown, deadlineMs: number, bodyBytes: number): {
    kind: FailureKind;
    message: string;
};
