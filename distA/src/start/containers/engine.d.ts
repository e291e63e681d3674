type Client = Awaited<ReturnType<typeof import('testcontainers').getContainerRuntimeClient>>;
/** A container engine that answers. */
export interface Engine {
    readonly docker: Client['container']['dockerode'];
    /** The host under which published ports are reached. */
    readonly host: string;
    /** Whether that is this machine: published ports then stay on its loopback. */
    readonly isLocal: boolean;
}
/**
 * Finds the engine as testcontainers does: `DOCKER_HOST`, the usual sockets, a rootless one. Its client is used, not its
 * `GenericContainer`: that one publishes ports on every address of the machine, and needs a helper image to clean up.
 * @throws TwotokenError `precondition` where none answers
 */
export declare function connectEngine(): Promise<Engine>;
/** What an engine says when it refuses, without its status line. */
export declare function engineWords(error: unknown): string;
export {};
