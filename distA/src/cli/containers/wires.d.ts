import type { Configuration } from '../../configuration/configuration.ts';
import { type OwnNetwork } from '../../start/containers/network.ts';
import { type Tap } from '../../taps/tap.ts';
import type { Part } from './parts.ts';
/** The addresses at which the parts reach each other: those of the suite's double and taps. */
export interface Wires {
    /** Absent where the backend speaks to the mint itself. */
    readonly double?: {
        readonly host: string;
        readonly port: number;
    };
    readonly backendMintUrl: string;
    readonly signalingMintUrl: string;
    readonly taps: readonly Tap[];
}
export declare function wired(base: Configuration, networks: Readonly<Partial<Record<Part, OwnNetwork>>>, stack: AsyncDisposableStack): Promise<Wires>;
