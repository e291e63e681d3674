import { mayBeOpened } from './containers/openable.js';
import { isPlainBinary } from './formats/format.js';
/**
 * Whether nothing is left to be looked at after one search of the bytes: no place was found, no table of a format tells
 * more than the bytes do, and they contain nothing that would have to be opened. Most files of an app are of this kind.
 */
export function isPlain(audit, name, bytes) {
    if (bytes.length === 0 || bytes.length > largest)
        return false;
    if (!isPlainBinary(name, bytes) || mayBeOpened(name, bytes))
        return false;
    let isFound = false;
    const found = () => {
        isFound = true;
    };
    const hits = { needle: found, xored: found, escape: found };
    audit.searcher.search(bytes, hits);
    return !isFound;
}
/** Larger ones are few, and searching them twice would cost more than is saved. */
const largest = 4 * 1024 * 1024;
