import { type Finding, type Gap, type GapKind } from './finding.ts';
import type { KeyShape } from './key-shape.ts';
/** What is known about a sighting; the rest of a finding follows from it. */
export type Sighting = Omit<Finding, 'fingerprint' | 'shown' | 'length'> & {
    readonly secret: string;
    /** The part of the secret that may be shown. */
    readonly show: string;
};
/** Collects findings and gaps, one for each secret, rule and place. */
export interface Collector {
    report(sighting: Sighting): void;
    gap(kind: GapKind, location: string, reason: string): void;
    /** Whether a secret was already seen in this location or in something inside it. */
    has(location: string, secret: string): boolean;
    /** How many findings and gaps there are. */
    count(): number;
    /** Reports everything in one location, and inside it, in another as well. */
    repeat(from: string, to: string): void;
    /** Adds what was found in other files. */
    add(found: {
        readonly findings: readonly Finding[];
        readonly gaps: readonly Gap[];
    }): void;
    findings(): Finding[];
    gaps(): Gap[];
}
export declare function createCollector(prefix: string): Collector;
/** The same audit, but what was seen in a location already, or in something inside it, is not reported there again. */
export declare function exceptKnown<T extends {
    readonly collector: Collector;
}>(audit: T): T;
export type KeyRule = Pick<Finding, 'rule' | 'level' | 'kind'>;
/** The rule and level of a key that was read in a form. */
export declare function keyRule(form: 'plain' | 'folded' | 'encoded' | 'xor', shape: KeyShape): KeyRule | null;
