import type { Actor } from './actor.ts';
import type { FrontDoor } from './front-door.ts';
import type { World } from './world.ts';
export interface ProgramOptions {
    readonly world: World;
    readonly command: string;
    readonly directory: string;
    readonly door: FrontDoor;
    readonly environment: Readonly<Record<string, string | undefined>>;
}
/**
 * Starts a client that is no page, and speaks the line protocol of `docs/client.md` with it.
 * @throws ControlLost where it does not say that it is ready
 */
export declare function startProgram({ world, command, directory, door, environment, }: ProgramOptions): Promise<Actor>;
