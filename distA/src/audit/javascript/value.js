export function isList(value) {
    return Array.isArray(value);
}
export function isFields(value) {
    return typeof value === 'object' && value !== null && 'fields' in value;
}
export function isCallable(value) {
    return typeof value === 'object' && value !== null && 'callable' in value;
}
/** What a condition comes to; `undefined` where that is not known. */
export function truth(value) {
    if (value === undefined)
        return undefined;
    return typeof value === 'object' ? value !== null : Boolean(value);
}
/** How a value reads inside a string; `undefined` where it is not known. */
export function textOf(value) {
    if (typeof value === 'string')
        return value;
    if (typeof value === 'number' || typeof value === 'boolean' || value === null)
        return String(value);
    if (!isList(value))
        return undefined;
    const parts = value.map(textOf);
    return parts.every((part) => part !== undefined) ? parts.join(',') : undefined;
}
