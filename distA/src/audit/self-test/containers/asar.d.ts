import type { Container } from '../containers.ts';
/** Electron's archive: a tree in JSON, then the files one after the other. Integrity hashes are made anew. */
export declare const asar: Container;
