/**
 * Writes a file whole or not at all: into a file beside it, which then takes its name. Its folder is made.
 * @throws TwotokenError `unwritable`
 */
export declare function writeFileWhole(file: string, text: string): Promise<void>;
