import { type SecretEncoding } from '../../src/evidence/holds-secret.ts';
import type { ClientApp, Place, Tap } from '../../src/parts/client.ts';
/** A secret where it was found. */
export interface Sighting {
    readonly kind: 'sessionToken' | 'calling JWT';
    readonly tap: Tap;
    readonly encoding: SecretEncoding;
}
/** Every place in which a session or a calling JWT stands. What a page loads holds what its login answers, and is left aside. */
export declare function sightingsIn(taps: readonly Tap[], sessions: readonly string[], jwts: readonly string[]): Sighting[];
/** The table of secrets and places, as it stands in the results: how each was found there. */
export declare function secretTable(sightings: readonly Sighting[]): Record<Sighting['kind'], Partial<Record<Place, string>>>;
/** Where each secret belongs, and where it has no business; of a place that is in neither list nothing is said. */
export interface SecretPlaces {
    readonly rightful: readonly Place[];
    readonly misplaced: readonly Place[];
}
/** The judged places, each with what became of the secrets there: the rows of the report's table. */
export declare function judgedPlaces(sightings: readonly Sighting[], ways: Readonly<Record<Sighting['kind'], SecretPlaces>>): Record<string, Partial<Record<Sighting['kind'], 'belongs' | 'out of place' | 'not seen'>>>;
/** The sessions of whoever signed in: as the driver said, and as the token route was shown. */
export declare function sessionsOf(app: ClientApp, signedIn: readonly (string | null)[]): string[];
