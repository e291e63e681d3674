import type { IncomingMessage } from 'node:http';
import type { Carriage, DeclaredUser } from '../configuration/configuration.ts';
/** What was found where the policy looks: null where there is none, or where it is still to come. */
export interface Presented {
    readonly jwt: string | null;
    readonly userId: string | null;
}
/** What the upgrade request carries. */
export declare function fromUpgrade(request: IncomingMessage, carriage: Carriage, declared: DeclaredUser): Presented;
/** What a message carries; null where it is not of the template's form. */
export declare function fromMessage(template: string, text: string): Presented | null;
/** The subprotocol that is chosen of those offered: never the one that holds the credential. */
export declare function chosenProtocol(offered: ReadonlySet<string>, carriage: Carriage): string | false;
