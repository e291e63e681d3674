/**
 * Whether this machine has an address, by listening there: a bridge without a container is not among the interfaces that
 * run, but one can listen on it.
 */
export declare function isOwnAddress(address: string): Promise<boolean>;
