import type { Configuration } from '../configuration/configuration.ts';
import type { Started } from '../start/started.ts';
export interface StartEnvironment {
    readonly variables: NodeJS.ProcessEnv;
    readonly stderr: {
        write(text: string): unknown;
    };
    readonly signal: AbortSignal;
}
/**
 * Brings up what the configuration (or `--containers`) asks for; null where it asks for nothing.
 * @throws TwotokenError `usage` where both ask for different things, `precondition` where it does not come up
 */
export declare function broughtUp(configuration: Configuration, inContainers: boolean, { variables, stderr, signal }: StartEnvironment): Promise<Started | null>;
