import type { Audit } from '../settings.ts';
import type { ScriptText } from './fold-script.ts';
/** Folds a script that contains a fragment of what is looked for; the parser is loaded for the first of them. */
export declare function foldWhereWorth(audit: Audit, script: ScriptText): Promise<void>;
