import { inMemory } from '../audit/containers/source.js';
import { readZip } from '../audit/containers/zip.js';
import { inflateEntry } from '../audit/containers/zip-inflate.js';
/** The entries of a zip archive; of what is none, nothing. */
export function zipContents(archive, bound) {
    return (readZip(inMemory(archive))?.entries ?? []).map((entry) => ({
        name: String(entry.name),
        bytes: inflateEntry(archive.subarray(entry.dataStart, entry.dataEnd), entry, bound).bytes,
    }));
}
