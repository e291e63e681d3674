var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
import { readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
const suites = join(import.meta.dirname, '../../suites');
/** Sources run as `.ts`, the package as `.js`: the requirements are beside us in the same form. */
const extension = extname(import.meta.filename);
/** Every requirement, one per file of `suites/<role>/`, in the order of their ids. */
export async function loadCatalogue() {
    const files = (await readdir(suites, { recursive: true }))
        .filter((file) => /^[a-z]+[\\/][^\\/]+$/.test(file) && extname(file) === extension)
        .filter((file) => !file.endsWith('.d.ts') && !file.endsWith(`.test${extension}`));
    const modules = await Promise.all(files.map((file) => import(__rewriteRelativeImportExtension(pathToFileURL(join(suites, file)).href))));
    const checks = modules
        .map((module) => module.default)
        .filter((check) => check !== undefined);
    const order = ['mint', 'backend', 'signaling', 'flow', 'client', 'bundle'];
    return checks.sort((a, b) => order.indexOf(a.role) - order.indexOf(b.role) || a.id.localeCompare(b.id));
}
