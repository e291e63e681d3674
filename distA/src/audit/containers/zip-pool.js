import { canInflateAside, inflateAside } from './zip-inflate.js';
const mostAhead = 32 * 1024 * 1024;
/** Below, on a busy machine, waiting for another thread costs more than inflating. */
const worthAThread = 128 * 1024;
const plausible = (compressed) => Math.max(16 * 1024 * 1024, compressed * 300);
/** Entries that are inflated on other threads, while the rest is read. */
export function isForPool(entry, room) {
    const { size, dataStart, dataEnd } = entry;
    if (size === null || size < worthAThread || size > Math.min(room, mostAhead))
        return false;
    return canInflateAside(entry) && size <= plausible(dataEnd - dataStart);
}
export function createPool(source, entries, ahead) {
    const done = [];
    let started = 0;
    let running = 0;
    let wake = () => { };
    const start = () => {
        for (let entry = entries[started]; entry !== undefined; entry = entries[started]) {
            const size = entry.size ?? 0;
            if (ahead.bytes + size > mostAhead)
                return;
            ahead.bytes += size;
            started += 1;
            running += 1;
            const one = entry;
            void inflateAside(source.read(one.dataStart, one.dataEnd), one, size).then((read) => {
                running -= 1;
                done.push([one, read]);
                wake();
            });
        }
    };
    const take = () => {
        const one = done.shift();
        if (one === undefined)
            return null;
        ahead.bytes -= one[0].size ?? 0;
        start();
        return one;
    };
    start();
    return {
        isIdle: () => running === 0 && done.length === 0,
        *finished() {
            for (let one = take(); one !== null; one = take())
                yield one;
        },
        async next() {
            if (done.length === 0 && running > 0)
                await new Promise((resolve) => {
                    wake = resolve;
                });
            const one = take();
            // Others may have taken all of the memory: then an entry is inflated by whoever reads it.
            const entry = one === null ? entries[started] : undefined;
            if (entry === undefined)
                return one;
            started += 1;
            return [entry, null];
        },
    };
}
