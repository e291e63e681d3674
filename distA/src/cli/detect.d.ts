import type { Output } from './output.ts';
export interface DetectCommand {
    readonly config?: string;
    readonly write: boolean;
    /** A profile that is there is replaced. */
    readonly force: boolean;
    readonly json: boolean;
    /** Waits for a token to expire. */
    readonly wait: boolean;
    /** Carriages to try first, as YAML. */
    readonly hints: readonly string[];
    /** Gives up before it has minted more. */
    readonly maxMints?: number;
}
export interface DetectEnvironment extends Output {
    readonly directory: string;
    readonly variables: NodeJS.ProcessEnv;
}
/**
 * `twotoken detect`: finds out how an implementation does what the specification leaves open. Returns 0 where all of
 * it was found, 3 where something was not.
 * @throws TwotokenError `configuration`, `credential`, `precondition` or `usage`, before anything is tried
 */
export declare function detect(options: DetectCommand, environment: DetectEnvironment): Promise<number>;
