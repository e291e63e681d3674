import { AsyncLocalStorage } from 'node:async_hooks';
export function createTurns() {
    const within = new AsyncLocalStorage();
    const queue = [];
    let running = 0;
    let isTaken = false;
    const proceed = () => {
        for (;;) {
            const next = queue.find(({ isDue }) => isDue) ?? queue[0];
            if (next === undefined || isTaken || (next.isAlone && running > 0))
                return;
            queue.splice(queue.indexOf(next), 1);
            running += 1;
            isTaken = next.isAlone;
            void next.start().then(() => {
                running -= 1;
                if (next.isAlone)
                    isTaken = false;
                proceed();
            });
        }
    };
    const enter = (isAlone, isDue, run) => new Promise((resolve, reject) => {
        // Whoever ends a turn starts the next one, which must still belong to the one who asked for it.
        const asAsked = AsyncLocalStorage.snapshot();
        queue.push({ isAlone, isDue, start: () => asAsked(run).then(resolve, reject) });
        proceed();
    });
    return {
        shared: (run) => (within.getStore() === true ? run() : enter(false, false, run)),
        alone(run, { soon } = { soon: false }) {
            if (within.getStore() === true)
                return run();
            return enter(true, soon, () => within.run(true, run));
        },
    };
}
