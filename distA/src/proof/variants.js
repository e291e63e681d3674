var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
const folder = join(import.meta.dirname, '../../fixtures/variants');
const extension = extname(import.meta.filename);
/** Every conforming and every degenerate variant as `file/name`, from the files of `fixtures/variants/`. */
export async function loadVariants() {
    const files = (await readdir(folder)).filter((file) => extname(file) === extension && !file.endsWith('.d.ts'));
    const conforming = new Map();
    const degenerate = new Map();
    for (const file of files.sort()) {
        const part = basename(file, extension);
        const module = await import(__rewriteRelativeImportExtension(pathToFileURL(join(folder, file)).href));
        for (const [name, variant] of Object.entries(module.conforming ?? {}))
            conforming.set(`${part}/${name}`, variant);
        for (const [name, peer] of Object.entries(module.degenerate ?? {}))
            degenerate.set(`${part}/${name}`, peer);
    }
    return { conforming, degenerate };
}
