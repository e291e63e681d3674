import { AsyncLocalStorage } from 'node:async_hooks';
import { Untested } from '../check/judge.js';
/** Null: there is no limit. */
export function createMintBudget(limit) {
    const watching = new AsyncLocalStorage();
    let issued = 0;
    let asked = 0;
    let settled = Promise.withResolvers();
    const settle = () => {
        asked -= 1;
        settled.resolve();
        settled = Promise.withResolvers();
    };
    const deny = () => {
        const watched = watching.getStore();
        if (watched !== undefined)
            watched.denied = true;
        return new Untested(`the ${limit} calling tokens of --max-mints are used up`);
    };
    return {
        async within(request, hasIssued) {
            // What is under way may yet be refused, and leave its token to others.
            while (limit !== null && issued + asked >= limit) {
                if (asked === 0 || issued >= limit)
                    throw deny();
                await settled.promise;
            }
            asked += 1;
            try {
                const outcome = await request();
                if (hasIssued(outcome))
                    issued += 1;
                return outcome;
            }
            finally {
                settle();
            }
        },
        count() {
            issued += 1;
        },
        async watch(run) {
            const watched = { denied: false };
            await watching.run(watched, run);
            return watched.denied;
        },
    };
}
