/**
 * Assembles the subset of WebAssembly's text format that the kernel is written in: one memory, exported functions, and
 * folded instructions on `i32` and `v128`. @throws Error for anything else
 */
export declare function assemble(source: string): Buffer;
