import type { Output } from './output.ts';
export interface ServeOptions {
    /** All where absent. */
    readonly parts?: readonly string[];
    /** The mint listens there, the others on the ports that follow; any free ports where absent. */
    readonly portBase?: number;
    readonly variant?: string;
    readonly json?: boolean;
}
export interface ServeEnvironment extends Output {
    /** Calls back once, when the user wants it to end. */
    onInterrupt(callback: () => void): void;
}
/**
 * `twotoken serve`: the reference stack, or a variant of it, until it is interrupted. Its keys and sessions were made
 * for this start and are printed in full: they open nothing else.
 * @throws TwotokenError `usage` for a part or variant that there is not, `precondition` where a port is taken
 */
export declare function serve({ parts: named, portBase, variant: variantName, json }: ServeOptions, { stdout, stderr, onInterrupt }: ServeEnvironment): Promise<number>;
