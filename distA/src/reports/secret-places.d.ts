import type { RunResults } from './results.ts';
/** What was found where a secret was looked for. */
export declare const whereabouts: readonly ['belongs', 'out of place', 'not seen'];
export type Whereabouts = (typeof whereabouts)[number];
/** Places by secret; a secret that was not looked for at a place is absent there. */
export type SecretPlaces = Readonly<Record<string, Readonly<Record<string, Whereabouts>>>>;
export interface SecretTable {
    readonly secrets: readonly string[];
    readonly rows: readonly {
        readonly place: string;
        readonly cells: readonly (Whereabouts | null)[];
    }[];
}
/** Puts the observations of all taps into one table: every observation whose name ends in `.secretPlaces`. */
export declare function secretTableOf({ checks }: Pick<RunResults, 'checks'>): SecretTable;
