/** Those that wait for expiry begin first, then those that need the mint double to themselves. */
export function byPhase(checks) {
    const rank = { expiry: 0, exclusive: 1 };
    const of = (check) => (check.phase === undefined ? 2 : rank[check.phase]);
    return [...checks].sort((a, b) => of(a) - of(b));
}
