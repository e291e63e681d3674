import type { Configuration } from '../../configuration/configuration.ts';
import type { Engine } from '../../start/containers/engine.ts';
import { type Chosen, type ContainerOptions } from './parts.ts';
/**
 * The parts that run in containers, once their images are there: those that the configuration gives an image for, and
 * the reference in place of those that it does not describe at all.
 */
export declare function chosenParts(engine: Engine, base: Configuration, { containers, baseImage, say }: ContainerOptions, folder: string): Promise<Chosen[]>;
