import { type Engine } from './engine.ts';
import { type OwnNetwork } from './network.ts';
/** A part that is to run in a container. */
export interface WantedContainer {
    readonly part: string;
    readonly image: string;
    /** The port that it listens on inside. */
    readonly port: number;
    readonly env: Readonly<Record<string, string>>;
    /** Texts by their absolute path inside; everybody inside may read them, and nothing else holds them. */
    readonly files: Readonly<Record<string, string>>;
    /** Its own health check does not run: it is asked from outside, sooner and at less cost. */
    readonly withoutHealthCheck?: boolean;
}
export interface StartedContainer extends AsyncDisposable {
    readonly id: string;
    readonly part: string;
    readonly image: string;
    readonly port: number;
    /** Host and port under which this machine reaches it. */
    readonly address: string;
    state(): Promise<ContainerState>;
    log(): Promise<string>;
}
export interface ContainerState {
    readonly isRunning: boolean;
    /** For a reader: "running", "paused", "ended with exit code 1", … */
    readonly text: string;
    /** What the image's own health check says: "none" where it has none. */
    readonly health: string;
    /** The first process, as this machine counts them. */
    readonly pid: number;
}
/** @throws TwotokenError `precondition` where the engine cannot start it */
export declare function startContainer(engine: Engine, { part, image, port, env, files, withoutHealthCheck }: WantedContainer, { owner, network }: {
    readonly owner: string;
    readonly network: OwnNetwork;
}): Promise<StartedContainer>;
