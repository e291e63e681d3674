import type { Extent } from '../scan/window.ts';
/** A `ResStringPool` chunk of Android's compiled resources, in UTF-8 or UTF-16. */
export declare function readStringPool(bytes: Buffer, at: number, roleOf: (index: number) => 'value' | 'name'): Extent[];
