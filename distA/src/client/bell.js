/** What no event announces, such as the state that a client shows, is asked for this often. */
const pollMs = 100;
export function createBell() {
    let reason = null;
    let next = Promise.withResolvers();
    const ring = () => {
        const rung = next;
        next = Promise.withResolvers();
        rung.resolve();
    };
    return {
        ring,
        lose(why) {
            reason ??= why;
            ring();
        },
        lost: () => reason,
        async wait(probe, milliseconds) {
            const deadline = performance.now() + milliseconds;
            for (;;) {
                if (reason !== null)
                    throw reason;
                const rung = next.promise;
                const found = await probe();
                if (found !== null && found !== undefined && found !== false)
                    return found;
                const left = deadline - performance.now();
                if (left <= 0)
                    return null;
                await Promise.race([rung, afterMs(Math.min(left, pollMs))]);
            }
        },
    };
}
function afterMs(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
