import { setTimeout as delay } from 'node:timers/promises';
export const systemClock = {
    monotonic: () => performance.now(),
    wall: () => Date.now(),
    async until(instant, signal) {
        for (let left = instant - performance.now(); left > 0; left = instant - performance.now())
            await delay(Math.ceil(left), undefined, signal === undefined ? {} : { signal });
    },
};
