/** Whether a Mach-O, thin or fat, says that a part of it is encrypted for the store. */
export declare function isFairPlayEncrypted(bytes: Buffer): boolean;
