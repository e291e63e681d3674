import type { Configuration } from '../configuration/configuration.ts';
import type { Started } from './started.ts';
export interface ComposeStart {
    /** Absolute path of the compose file. */
    readonly compose: string;
    readonly readyTimeoutSeconds: number;
    readonly environment: NodeJS.ProcessEnv;
    readonly signal: AbortSignal;
}
/**
 * Brings a compose file up as a project of its own, and takes it down with its networks and volumes.
 * @throws TwotokenError `precondition`, with what was printed last
 */
export declare function startByCompose(configuration: Configuration, { compose, readyTimeoutSeconds, environment, signal }: ComposeStart): Promise<Started>;
