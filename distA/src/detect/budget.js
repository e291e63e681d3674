/** Nothing can be said, for a reason that is nobody's fault: a clause for the reader. */
export class GivenUp extends Error {
    name = 'GivenUp';
}
export const usualBounds = { attempts: 400, mints: 150, seconds: 180 };
export function createBudget(bounds, clock, signal) {
    const endsAt = clock.monotonic() + bounds.seconds * 1000;
    let attempts = 0;
    let mints = 0;
    const inTime = () => {
        if (signal?.aborted === true)
            throw new GivenUp('it was interrupted');
        if (clock.monotonic() > endsAt)
            throw new GivenUp(`nothing was settled within ${bounds.seconds} s`);
    };
    return {
        attempt() {
            inTime();
            if (attempts >= bounds.attempts)
                throw new GivenUp(`nothing was settled within ${bounds.attempts} attempts`);
            attempts += 1;
        },
        mint() {
            inTime();
            if (mints >= bounds.mints)
                throw new GivenUp(`nothing was settled with ${bounds.mints} calling tokens`);
            mints += 1;
        },
        get attempts() {
            return attempts;
        },
        get mints() {
            return mints;
        },
    };
}
