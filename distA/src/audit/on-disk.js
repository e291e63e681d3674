import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { auditSource } from './audit-bytes.js';
import { allow, spend } from './containers/budget.js';
import { inFile, inMemory, readInto } from './containers/source.js';
import { printable } from './location.js';
import { unreadable } from './walk.js';
/** Reads one file after the other into the same memory, which costs less than new memory for each. */
export function createReader() {
    let memory = Buffer.allocUnsafeSlow(0);
    return (file, size) => {
        if (memory.length < size)
            memory = Buffer.allocUnsafeSlow(Math.min(largestAtOnce, Math.max(size, memory.length * 2, 65_536)));
        return readInto(file, memory.subarray(0, size), 0);
    };
}
/** A larger file is opened where it is: if it is an archive, only its entries are read. */
const largestAtOnce = 64 * 1024 * 1024;
/** Nothing is waited for: what was a file a moment ago may be a pipe now. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** @returns `false` where the file was left as it is */
export async function auditOnDisk(audit, { path, location, name }, { read, isGiven = false, leaves = () => false }) {
    const shown = printable(location);
    const gap = (reason) => {
        audit.collector.gap('opaque', shown, reason);
        return true;
    };
    let file = null;
    try {
        file = openSync(path, flags);
        const found = fstatSync(file);
        if (!found.isFile())
            return gap('not a regular file');
        const { size } = found;
        if (size === 0)
            return isGiven ? gap('a file of no bytes') : true;
        if (leaves(name, size, null))
            return false;
        const isSmall = size <= Math.min(largestAtOnce, audit.limits.wholeBytes);
        const source = isSmall ? inMemory(read(file, size)) : inFile(file, 0, size);
        if (source.whole !== undefined && leaves(name, size, source.whole))
            return false;
        audit.spent.opened += 1;
        allow(audit, size);
        if (spend(audit, size))
            await auditSource(audit, { location: shown, name, source, depth: 0, held: isSmall ? size : 0 });
        else
            audit.collector.gap('limit', shown, 'more files or bytes than the limits allow');
        return true;
    }
    catch (error) {
        if (error.syscall === undefined)
            throw error;
        return gap(unreadable(error));
    }
    finally {
        if (file !== null)
            closeSync(file);
    }
}
