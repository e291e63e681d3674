/** The part of a grant that broken caches are keyed by. */
interface Granted {
    readonly userId: string;
    readonly lifetimeSeconds: number;
    readonly project: {
        readonly id: string;
    };
}
/** Hooks of a mint that hands a token out again whenever `keyOf` says that it knows the request. */
export declare function cachedTokens(keyOf: (grant: Granted) => string): {
    success(token: string, grant: Granted, { signing }: {
        readonly signing: object;
    }): {
        status: number;
        headers: {
            'content-type': string;
            'cache-control': string;
        };
        body: string;
    };
};
export {};
