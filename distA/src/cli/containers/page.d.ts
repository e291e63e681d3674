import type { Configuration } from '../../configuration/configuration.ts';
import type { Chosen } from './parts.ts';
/**
 * The reference's page as the client under test, where the configuration describes none and the reference was built. It
 * is opened by a browser on this machine, so no container holds it.
 */
export declare function referencePage(base: Configuration, chosen: readonly Chosen[], { folder, signalingUrl }: {
    readonly folder: string;
    readonly signalingUrl: string;
}, stack: AsyncDisposableStack): Promise<Pick<Configuration, 'client'>>;
