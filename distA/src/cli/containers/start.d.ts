import type { Configuration } from '../../configuration/configuration.ts';
import type { Started } from '../../start/started.ts';
import type { ContainerOptions } from './parts.ts';
/**
 * Brings up in containers what the configuration gives an image for, and the reference in place of what it does not
 * describe at all. Each part has a network of its own: what one says to another passes the suite.
 * @throws TwotokenError `precondition`
 */
export declare function startContainers(base: Configuration, options: ContainerOptions): Promise<Started>;
