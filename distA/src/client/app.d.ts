import type { Configuration } from '../configuration/configuration.ts';
import type { ClientApp } from '../parts/client.ts';
import type { Actor } from './actor.ts';
import type { World } from './world.ts';
/** Puts a client and the world around it together. */
export declare function createApp(world: World, actor: Actor, { client, limits }: Pick<Configuration, 'client' | 'limits'>): ClientApp;
