/** A path as one string, to look it up by. */
export function pathKey(path) {
    return JSON.stringify(path);
}
/** A path as a reader of the file knows it, such as `signaling.profile.failure[0].http`. */
export function showPath(path) {
    const shown = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${showKey(part)}`)).join('');
    return shown.replace(/^\./, '');
}
/** A key's name, unless it may be a secret that was pasted where a key belongs. */
export function showKey(key) {
    const harmless = /^[A-Za-z_][A-Za-z0-9_-]{0,31}$/.test(key) && !/^(ac_live_|eyJ)/i.test(key);
    return harmless ? key : `(a key of ${key.length} characters)`;
}
/** The value at a path, `undefined` where the path leads nowhere. */
export function valueAt(root, path) {
    return path.reduce((value, part) => (isCollection(value) && Object.hasOwn(value, part) ? value[part] : undefined), root);
}
function isCollection(value) {
    return typeof value === 'object' && value !== null;
}
