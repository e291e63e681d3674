/** The certificates that `tls.ca` adds to the system's. */
export declare function trusted(file: string | undefined): Promise<string[] | undefined>;
/** Makes every credential of the configuration known to the redactor. */
