/** What a compressed file holds; `problem` where it holds more, or something else, than could be read. */
export interface Expanded {
    readonly name: string;
    readonly bytes: Buffer | null;
    /** How many bytes of the file that took: what follows is something else. */
    readonly consumed?: number;
    readonly problem?: {
        readonly kind: 'corrupt' | 'limit' | 'unsupported' | 'encrypted';
        readonly reason: string;
    };
}
/** `null` where the bytes are no compressed file. Brotli has no mark of its own: only a `.br` is tried. */
export declare function expand(name: string, bytes: Buffer, bound: number): Expanded | null;
