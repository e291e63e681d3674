import type { Container } from '../containers.ts';
/** Regular files by their own headers; long names stand in blocks of their own, which are kept. */
export declare const tar: Container;
