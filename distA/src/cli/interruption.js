/** Resolves with null when the user interrupts. */
export function interruptionOf(signal) {
    const { promise, resolve: interrupt } = Promise.withResolvers();
    if (signal.aborted)
        interrupt(null);
    else
        signal.addEventListener('abort', () => interrupt(null), { once: true });
    return promise;
}
