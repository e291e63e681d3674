import { type Engine } from './engine.ts';
/** The name under which a container reaches the machine of the suite. */
export declare const hostName = "host.docker.internal";
/** A network that one part has to itself, so that all it says to another part goes through the suite. */
export interface OwnNetwork extends AsyncDisposable {
    readonly name: string;
    readonly id: string;
    /** Where the suite listens for this container, and for nobody beyond this machine. */
    readonly listenHost: string;
    /** What `host.docker.internal` has to stand for in the container. */
    readonly hostAddress: string;
}
export declare function startNetwork({ docker }: Engine, owner: string, part: string): Promise<OwnNetwork>;
