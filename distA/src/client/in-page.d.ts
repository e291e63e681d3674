import type { Place } from '../parts/client.ts';
/** What a page keeps, as it is read in the page. */
export interface Kept {
    readonly place: Extract<Place, 'localStorage' | 'sessionStorage' | 'IndexedDB' | 'cache' | 'cookie'>;
    readonly name: string;
    readonly text: string;
}
export declare function noteBlobs(): void;
export declare function readKept(): Promise<Kept[]>;
