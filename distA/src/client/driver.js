var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
import { pathToFileURL } from 'node:url';
import { TwotokenError } from '../errors.js';
const demanded = ['signIn', 'connect', 'signOut'];
const optional = ['disconnect', 'configure', 'state', 'open'];
const clientStates = ['idle', 'connecting', 'connected', 'disconnected', 'failed'];
/**
 * Loads the driver.
 * @throws TwotokenError `configuration` where there is no such module, it breaks while it loads, or lacks a function
 */
export async function loadDriver(file) {
    const module = await import(__rewriteRelativeImportExtension(pathToFileURL(file).href)).catch((error) => {
        const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
        const missing = error.code === 'ERR_MODULE_NOT_FOUND' && why.includes(file);
        throw new TwotokenError('configuration', missing
            ? `client.driver ${file} is not there, expected a module: correct the path`
            : `client.driver ${file} cannot be loaded: ${why}`, error);
    });
    const inner = module['default'];
    const exported = typeof inner === 'object' && inner !== null ? { ...inner, ...module } : module;
    for (const name of demanded)
        if (typeof exported[name] !== 'function')
            throw new TwotokenError('configuration', `client.driver ${file} does not export ${name}, expected ${demanded.join(', ')}: export it as a function`);
    for (const name of optional)
        if (exported[name] !== undefined && typeof exported[name] !== 'function')
            throw new TwotokenError('configuration', `client.driver ${file} exports ${name}, which is no function`);
    return exported;
}
/** Throws where what a client says of itself is no state. */
export function stateOf(said) {
    const state = clientStates.find((known) => known === said);
    if (state !== undefined)
        return state;
    throw new Error(`it gave ${JSON.stringify(said)}, expected one of ${clientStates.join(', ')}`);
}
