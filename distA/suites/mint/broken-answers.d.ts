/** An answer of a broken variant, in the shape of the reference's own. */
export declare function jsonAnswer(value: unknown, status?: number): {
    status: number;
    headers: {
        'content-type': string;
        'cache-control': string;
    };
    body: string;
};
