/** One assembly of a Xamarin or .NET app; `bytes` is `null` where it cannot be decompressed. */
interface Assembly {
    readonly name: string;
    readonly bytes: Buffer | null;
}
/**
 * Compressed assemblies: a file of one, a store of many, or a store inside a library. Each begins with a mark, its
 * number, and its size. `bound` is how large one may become.
 */
export declare function readAssemblies(name: string, bytes: Buffer, bound: number): Generator<Assembly>;
export {};
