/** A tar archive (ustar) of small files that everybody may read: what an engine takes to put files into a container. */
export declare function tarOf(files: Readonly<Record<string, string>>): Buffer;
