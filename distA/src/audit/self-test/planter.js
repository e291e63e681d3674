export const none = new Map();
export function refuseAll(bytes, wishes, reason) {
    return { bytes, refused: new Map(wishes.map((wish) => [wish, reason])) };
}
export function textOf({ payload }) {
    return payload.toString('latin1');
}
export function spliced(bytes, at, removed, inserted) {
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}
