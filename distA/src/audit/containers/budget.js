const always = 64 * 1024 * 1024;
const plausibleRatio = 100;
const entryAlways = 16 * 1024 * 1024;
const entryRatio = 300;
/** What a file of a size may become when everything in it is unpacked, so that no bomb costs more than its size is worth. */
export function allow(audit, size) {
    audit.spent.allowed = Math.min(audit.limits.totalBytes, audit.spent.inflated + size + always + plausibleRatio * size);
}
/** Counts what was unpacked. `false` once a bound is passed: the caller then reports the gap and stops. */
export function spend(audit, bytes) {
    audit.spent.inflated += bytes;
    return !isSpent(audit);
}
/** Counts an entry of a container that is opened. `false`, and a gap, where no more may be. */
export function isOpened(audit, { location }, size) {
    audit.spent.opened += 1;
    if (spend(audit, size))
        return true;
    audit.collector.gap('limit', location, 'more entries or bytes than the limits allow');
    return false;
}
/** Counts a file that contains no other as read. */
export function countRead({ spent }, size) {
    spent.entries += 1;
    spent.bytes += size;
}
export function isSpent({ spent, limits }) {
    return spent.inflated > spent.allowed || spent.opened > limits.entries;
}
/** How many bytes one entry may become: what its compressed size makes plausible, and never over the bound. */
export function entryBound({ spent }, compressed) {
    return Math.max(0, Math.min(Math.max(entryAlways, compressed * entryRatio), spent.allowed - spent.inflated));
}
/** How large an entry may be that is read into memory beside what is there already. */
export function roomFor({ limits }, held) {
    return Math.max(0, Math.min(limits.wholeBytes, limits.heldBytes - held));
}
