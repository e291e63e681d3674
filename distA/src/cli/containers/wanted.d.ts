import type { StackSecrets } from '../../../fixtures/images/secrets.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { WantedContainer } from '../../start/containers/container.ts';
import type { Chosen } from './parts.ts';
import type { Wires } from './wires.ts';
/** What a container is told: keys, sessions and addresses as variables, certificates and private keys as files. */
export declare function wantedOf({ part, image, port, env, isReference }: Chosen, { keys, sessions, signingKey, signalingTls }: StackSecrets, base: Configuration, { backendMintUrl, signalingMintUrl }: Wires): WantedContainer;
export declare const referenceJwksPath = "/.well-known/jwks.json";
