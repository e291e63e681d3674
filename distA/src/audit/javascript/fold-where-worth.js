import { fragmentsOf } from './fragments.js';
/** Folds a script that contains a fragment of what is looked for; the parser is loaded for the first of them. */
export async function foldWhereWorth(audit, script) {
    if (!fragmentsOf(audit.prefix).inBytes(script.bytes))
        return;
    const { foldScript } = await import('./fold-script.js');
    foldScript(audit, script);
}
