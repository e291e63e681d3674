/** All at once; what was begun is waited for even where one fails, so that it can be taken down. */
export declare function everyOne<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]>;
export declare function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T>;
/** Things that are taken down at once: one after the other they would take their time. */
export declare function together<T extends AsyncDisposable>(): AsyncDisposable & {
    use(thing: T): T;
};
