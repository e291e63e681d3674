const [open, first, second, left] = [0, 1, 2, 3];
export function createClaims(files) {
    const states = new Int32Array(new SharedArrayBuffer(4 * files.length));
    return claimsIn(states);
}
export function claimsIn(states) {
    const take = (index, by) => Atomics.compareExchange(states, index, open, by) === open;
    const those = (wanted) => Array.from(states.keys()).filter((index) => wanted.includes(Atomics.load(states, index)));
    return {
        states,
        takeFirst: (index) => take(index, first),
        takeSecond: (index) => take(index, second),
        leave: (index) => void Atomics.store(states, index, left),
        left: () => those([left]),
        ofSecond: () => those([second, left]),
    };
}
