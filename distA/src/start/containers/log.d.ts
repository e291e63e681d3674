import type { Engine } from './engine.ts';
/** What a container has printed, both streams in the order of their arrival; empty where nobody can say. */
export declare function logOf({ docker }: Engine, id: string): Promise<string>;
