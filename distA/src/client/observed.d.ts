import type { Actor } from './actor.ts';
import type { FrontDoor } from './front-door.ts';
import type { World } from './world.ts';
/** Whoever has the device in their hand. */
export interface Observer {
    /** Shows an instruction; resolves when it has been followed, at the latest when `seen` has. */
    ask(instruction: string, seen?: Promise<unknown>): Promise<void>;
    tell(text: string): void;
}
/** A client that nobody can operate but a person: it is told what to do next, and judged by its traffic alone. */
export declare function observeDevice(world: World, door: FrontDoor, observer: Observer): Promise<Actor>;
