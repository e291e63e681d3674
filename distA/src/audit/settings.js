const megabyte = 1024 * 1024;
export const defaultLimits = {
    depth: 12,
    wholeBytes: 128 * megabyte,
    heldBytes: 144 * megabyte,
    totalBytes: 64 * 1024 * megabyte,
    entries: 2_000_000,
};
