import type { Configuration, SignalingProfile } from '../configuration/configuration.ts';
import type { Client } from '../parts/client.ts';
import type { SigningKey } from '../tokens/signing-key.ts';
import type { BrowserSource } from './browser.ts';
import { type Observer } from './observed.ts';
import { type PageOptions } from './page.ts';
import type { TimelineOptions } from './timeline.ts';
export interface ClientPartOptions extends TimelineOptions {
    readonly configuration: Configuration;
    readonly testKey: SigningKey | null;
    readonly ca: readonly string[] | undefined;
    readonly browsers: BrowserSource;
    /** Keeps what can be seen of each page that is opened. */
    readonly follow: PageOptions['follow'];
    /** Somebody operates a device; nothing else is then judged. */
    readonly observer?: Observer;
    /** Of the command that starts a program. */
    readonly environment: Readonly<Record<string, string | undefined>>;
}
/** The client that the configuration describes; undefined where it describes none. */
export declare function createClientPart(options: ClientPartOptions): Client | undefined;
/** The profile that the doubles speak; an adapter alone has none. */
export declare function spokenProfile({ signaling }: Configuration): SignalingProfile | null;
