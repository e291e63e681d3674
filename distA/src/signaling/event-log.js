import { alarm } from './alarm.js';
const endings = ['http', 'close', 'error', 'timeout'];
/** What an event costs besides its text. */
const overhead = 100;
export function isEnd(event) {
    return endings.includes(event.type);
}
/** Listeners hear every frame; `events` keeps frames up to `keptCharacters`, so that a flood costs no memory. */
export function createEventLog(clock, keptCharacters) {
    const events = [];
    const listeners = new Set();
    const end = Promise.withResolvers();
    let over = false;
    let kept = 0;
    let cursor = 0;
    const log = {
        events,
        ended: end.promise,
        push(said) {
            if (over)
                return;
            const event = { at: clock.monotonic(), ...said };
            kept += event.text.length + overhead;
            if (event.type !== 'frame' || kept <= keptCharacters)
                events.push(event);
            over = isEnd(event);
            for (const listener of [...listeners])
                listener(event);
            if (over)
                end.resolve(event);
        },
        listen(listener) {
            listeners.add(listener);
            return () => listeners.delete(listener);
        },
        async next(predicate, deadlineMs) {
            const index = events.findIndex((event, place) => place >= cursor && predicate(event));
            if (index >= 0)
                cursor = index + 1;
            if (index >= 0 || over)
                return events[index] ?? null;
            const found = Promise.withResolvers();
            const stop = log.listen((event) => {
                if (predicate(event))
                    found.resolve(event);
                else if (isEnd(event))
                    found.resolve(null);
            });
            const cancel = alarm(clock, clock.monotonic() + deadlineMs, () => found.resolve(null));
            const event = await found.promise;
            stop();
            cancel();
            cursor = event === null ? events.length : events.lastIndexOf(event) + 1 || events.length;
            return event;
        },
        skipSeen() {
            cursor = events.length;
        },
    };
    return log;
}
