/** The module that is to stand in `bytes.ts`, from the kernel's source. */
export declare function kernelModule(): string;
