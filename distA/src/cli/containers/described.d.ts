import type { StackSecrets } from '../../../fixtures/images/secrets.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { StartedContainer } from '../../start/containers/container.ts';
import type { Chosen } from './parts.ts';
import type { Wires } from './wires.ts';
/** The configuration as it stands once the containers have their addresses. */
export declare function describedStack(base: Configuration, chosen: readonly Chosen[], containers: readonly StartedContainer[], secrets: StackSecrets, { double }: Wires, folder: string): Promise<Configuration>;
