import { AsyncLocalStorage } from 'node:async_hooks';
/** `prefix` begins every id, where several processes record for one run. */
export function createJournal(prefix = 'x') {
    let count = 0;
    let pending = [];
    const recording = new AsyncLocalStorage();
    const reserve = () => {
        count += 1;
        const id = `${prefix}${count}`;
        recording.getStore()?.push(id);
        return id;
    };
    return {
        reserve,
        record(exchange, id = reserve()) {
            pending.push({ id, ...exchange });
            return id;
        },
        drain() {
            const drained = pending;
            pending = [];
            return drained;
        },
        async during(run) {
            const ids = [];
            await recording.run(ids, run);
            return ids;
        },
    };
}
