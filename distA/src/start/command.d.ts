import type { Configuration } from '../configuration/configuration.ts';
import type { Started } from './started.ts';
export interface CommandStart {
    readonly command: string;
    readonly readyTimeoutSeconds: number;
    readonly environment: NodeJS.ProcessEnv;
    readonly signal: AbortSignal;
}
/**
 * Runs `start.command` in the configuration's folder until the run is over. It is ready when every configured address
 * answers.
 * @throws TwotokenError `precondition`, with what it printed last
 */
export declare function startByCommand(configuration: Configuration, { command, readyTimeoutSeconds, environment, signal }: CommandStart): Promise<Started>;
