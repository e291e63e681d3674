import type { Container } from '../containers.ts';
/**
 * Archives of at most 4 GB. Entries that do not change keep their bytes; whatever stands before the first entry or
 * between the last and the directory (a signature, for example) is kept as well, and no longer holds.
 */
export declare const zip: Container;
