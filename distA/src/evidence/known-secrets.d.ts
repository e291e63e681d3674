import type { Configuration } from '../configuration/configuration.ts';
import type { Redactor } from './redact.ts';
/** Makes the secrets of a configuration known before anything is sent. */
export declare function registerSecrets({ mint, backend, token, client }: Configuration, redactor: Redactor): void;
