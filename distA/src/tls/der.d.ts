/** Just enough of ITU-T X.690 (DER) to write a certificate. Every function returns one whole element. */
export declare const sequence: (...items: readonly Uint8Array[]) => Buffer;
export declare const set: (...items: readonly Uint8Array[]) => Buffer;
export declare const octets: (content: Uint8Array) => Buffer;
export declare const utf8: (text: string) => Buffer;
export declare const boolean: (value: boolean) => Buffer;
/** A bit string; `unused` bits at the end of the last byte do not count. */
export declare const bits: (content: Uint8Array, unused?: number) => Buffer;
/** An integer from its big-endian magnitude: never negative, and as short as it can be. */
export declare function integer(magnitude: Uint8Array): Buffer;
/** An object identifier from its dotted form. */
export declare function identifier(dotted: string): Buffer;
/** A point in time between 1950 and 2049 as UTCTime, any other as GeneralizedTime (RFC 5280, 4.1.2.5). */
export declare function time(at: Date): Buffer;
/** A context-specific element: constructed where it wraps others, primitive where it replaces one's tag. */
export declare function context(number: number, form: 'constructed' | 'primitive', content: Uint8Array): Buffer;
