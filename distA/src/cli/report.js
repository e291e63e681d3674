import { TwotokenError } from '../errors.js';
import { createRedactor } from '../evidence/redact.js';
import { assertNoSecret } from '../evidence/scan.js';
import { renderBadge, renderBadgeJson } from '../reports/badge.js';
import { renderCtrf } from '../reports/ctrf.js';
import { renderGithub } from '../reports/github.js';
import { renderHtml } from '../reports/html.js';
import { renderJunit } from '../reports/junit.js';
import { renderMarkdown } from '../reports/markdown.js';
import { readResults } from '../reports/read.js';
import { renderSarif } from '../reports/sarif.js';
import { writeFileWhole } from './write-file.js';
const formats = {
    html: renderHtml,
    github: renderGithub,
    junit: renderJunit,
    sarif: renderSarif,
    markdown: renderMarkdown,
    ctrf: renderCtrf,
    badge: renderBadge,
    'badge-json': renderBadgeJson,
};
/**
 * `twotoken report`: renders a result file again.
 * @throws TwotokenError `usage`, `unwritable` or `secret-in-output`
 */
export async function report({ file, format, out }, { stdout, stderr }) {
    const render = Object.hasOwn(formats, format) ? formats[format] : undefined;
    if (render === undefined)
        throw new TwotokenError('usage', `--format ${format} is not there; there are ${Object.keys(formats).join(', ')}`);
    const results = await readResults(file);
    const text = render(results);
    const name = out ?? `the ${format} report`;
    assertNoSecret(name, text, createRedactor());
    // What a form escapes, as Markdown does with an underscore, hides a secret from that look.
    assertNoSecret(name, JSON.stringify(results), createRedactor());
    if (out === undefined)
        stdout.write(text);
    else {
        await writeFileWhole(out, text);
        stderr.write(`written to ${out}\n`);
    }
    return 0;
}
