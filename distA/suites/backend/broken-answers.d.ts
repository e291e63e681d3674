/** A JSON answer of a broken backend. */
export declare function jsonAnswer(status: number, value: unknown): {
    status: number;
    headers: {
        'content-type': string;
    };
    body: string;
};
