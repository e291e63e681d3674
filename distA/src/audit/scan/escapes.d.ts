import type { Audit } from '../settings.ts';
import type { View } from './needles.ts';
/** Places at which a character of the prefix is escaped, in ascending order. */
export interface Escapes {
    readonly view: View;
    readonly offsets: number[];
}
/** Collects escapes that come in ascending order, those of UTF-16 apart by view and by the byte they begin with. */
export declare function createEscapes(): {
    groups: Map<string, Escapes>;
    add(offset: number, view: View): void;
};
/** Finds the prefix in mixtures of plain and escaped characters. Only around escapes it has to be looked for. */
export declare function escapedPrefixes({ prefix, escaped }: Pick<Audit, 'prefix' | 'escaped'>, bytes: Buffer, { view, offsets }: Escapes): Generator<{
    readonly offset: number;
    readonly length: number;
}>;
