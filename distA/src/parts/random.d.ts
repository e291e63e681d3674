/** mulberry32: small, seedable, and good enough to make ids and delays that a seed reproduces. */
export declare function randomFrom(seed: number): () => number;
