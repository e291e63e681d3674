import { type Draft } from './draft.ts';
import { type Hit, type Searching } from './search.ts';
/** Leaves out of a draft what the service does not need in order to let somebody in. */
export declare function minimised({ draft, separation: found }: Hit, searching: Searching): Promise<Draft>;
/** The smallest list that still works and from which nothing can be left out alone; the first of equals stay. */
export declare function shrunk<Item>(items: readonly Item[], works: (some: readonly Item[]) => Promise<boolean>): Promise<readonly Item[]>;
