/** A peer may compress although it was asked not to; what it inflates to is bounded like any body. */
export declare function inflated(bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Buffer;
