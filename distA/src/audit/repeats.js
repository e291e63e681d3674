import { createHash } from 'node:crypto';
const mostRemembered = 50_000;
export function createRepeats() {
    const seen = new Map();
    return {
        async once({ collector, spent }, { location, name, bytes }, read) {
            const key = `${createHash('sha256').update(bytes).digest('base64')}\0${name}`;
            const known = seen.get(key);
            if (known !== undefined) {
                spent.inflated += bytes.length;
                spent.entries += known.entries;
                spent.bytes += known.bytes;
                if (!known.isClean)
                    collector.repeat(known.location, location);
                return true;
            }
            const { entries, bytes: before } = spent;
            const count = collector.count();
            const isDone = await read();
            if (isDone && seen.size < mostRemembered)
                seen.set(key, {
                    location,
                    isClean: collector.count() === count,
                    entries: spent.entries - entries,
                    bytes: spent.bytes - before,
                });
            return isDone;
        },
    };
}
