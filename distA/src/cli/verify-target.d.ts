import type { Configuration } from '../configuration/configuration.ts';
export interface TargetOptions {
    readonly role: 'mint' | 'backend';
    readonly config?: string;
    readonly url?: string;
    readonly method?: 'POST' | 'GET';
    readonly credentials?: Credentials;
}
export interface Credentials {
    readonly apiKey?: string;
    readonly trialEnded?: string;
    readonly suspended?: string;
    readonly capped?: string;
    readonly session?: string;
    readonly expiredSession?: string;
}
/**
 * The provider to verify: what the flags say, over what the configuration says.
 * @throws TwotokenError `usage` or `configuration`
 */
export declare function configurationOf({ role, config, url, method, credentials }: TargetOptions, directory: string, variables: NodeJS.ProcessEnv): Promise<Configuration>;
