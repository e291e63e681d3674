/**
 * Whether an address fits a glob, query and fragment left aside: `*` is anything but a slash, `**` anything, and
 * `{a,b}` one of them. A scheme's standard port may be written or not.
 */
export declare function fitsGlob(glob: string, url: URL): boolean;
/** Whether a host fits such a glob; where the glob names no port, any port does. */
export declare function hostFits(glob: string, { host, hostname }: URL): boolean;
