const buckets = 8;
const places = [0, 1, 2, 3];
const nothing = { lows: [0, 0, 0, 0], highs: [0, 0, 0, 0] };
/** Puts together what lets few other texts pass, the widest first. @returns the bucket of each pattern */
export function bucketsFor(patterns) {
    const passing = Array.from({ length: buckets }, () => nothing);
    const chosen = [];
    const own = patterns.map(passingOf);
    const order = own.map((_, index) => index).sort((a, b) => cost(own[b]) - cost(own[a]));
    for (const index of order) {
        const added = passing.map((before) => together(before, own[index] ?? nothing));
        const increases = added.map((after, bucket) => cost(after) - cost(passing[bucket]));
        const best = increases.indexOf(Math.min(...increases));
        passing[best] = added[best] ?? nothing;
        chosen[index] = best;
    }
    return chosen;
}
function passingOf(classes) {
    const bits = (half) => places.map((place) => (classes[place] ?? []).reduce((sum, byte) => sum | (1 << half(byte)), 0));
    return { lows: bits((byte) => byte & 15), highs: bits((byte) => byte >> 4) };
}
function together(a, b) {
    const or = (one, other) => one.map((bits, at) => bits | (other[at] ?? 0));
    return { lows: or(a.lows, b.lows), highs: or(a.highs, b.highs) };
}
/** Small letters are most of a script; control characters and bytes beyond ASCII are next to nothing. */
const frequencyOfHigh = [0, 0, 2, 1, 1, 1, 8, 8, 0, 0, 0, 0, 0, 0, 0, 0];
function cost({ lows, highs } = nothing) {
    let product = 1;
    for (const place of places) {
        let low = 0;
        let high = 0;
        for (let bit = 0; bit < 16; bit++) {
            low += ((lows[place] ?? 0) >> bit) & 1;
            high += (((highs[place] ?? 0) >> bit) & 1) * (frequencyOfHigh[bit] ?? 0);
        }
        product *= low * high;
    }
    return product;
}
