import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemble } from './assemble.js';
/** The module that is to stand in `bytes.ts`, from the kernel's source. */
export function kernelModule() {
    const lines = assemble(readFileSync(join(import.meta.dirname, 'kernel.wat'), 'utf8'))
        .toString('base64')
        .match(/.{1,100}/g);
    const text = (lines ?? []).map((line) => `  '${line}',`).join('\n');
    return `// Assembled from kernel.wat by build.ts; a test compares the two.\nexport const kernelBase64 = [\n${text}\n].join('')\n`;
}
if (import.meta.main)
    writeFileSync(join(import.meta.dirname, 'bytes.ts'), kernelModule());
