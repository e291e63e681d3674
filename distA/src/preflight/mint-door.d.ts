import type { FakeMintConfiguration } from '../configuration/configuration.ts';
import type { Problem } from './problem.ts';
/** The address of the mint double while the double is not there yet: it closes every connection, and counts them. */
export interface MintDoor extends AsyncDisposable {
    knocks(): number;
}
/** Holds the address, or says why the double will not be able to. */
export declare function openMintDoor({ host, port }: FakeMintConfiguration): Promise<MintDoor | Problem>;
